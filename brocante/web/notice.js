/** What is said beside the table, and goes away by itself: that something was refused, and why. */

import { Refused } from "./api.js";
import { h } from "./dom.js";

/** Milliseconds for which it can be read. */
const LASTS = 6000;

/**
 * @param {unknown} error what the server refused; anything else is a fault of ours, and for the console
 */
export function notify(error) {
  if (!(error instanceof Refused)) return reportError(error);
  if (error.code === "stale") return; // the table has gone on, as one sees
  note(error.message);
}

/**
 * Something to be read beside what one does.
 * @param {string} words
 */
export function note(words) {
  const notice = h("p.notice", { role: "alert" }, words);
  document.body.append(notice);
  setTimeout(() => notice.remove(), LASTS);
}
