/** What is said beside the table, and goes away by itself. */

import { h } from "./dom.js";

/** Milliseconds for which it can be read. */
const LASTS = 6000;

/**
 * Something to be read beside what one does.
 * @param {string} words
 */
export function note(words) {
  const notice = h("p.notice", { role: "alert" }, words);
  document.body.append(notice);
  setTimeout(() => notice.remove(), LASTS);
}
