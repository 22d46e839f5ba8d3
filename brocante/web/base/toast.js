/** Toasts: short messages that disappear by themselves. */

import { h } from "./dom.js";

/** Milliseconds for which it is shown. */
const LASTS = 6000;

/** @param {string} words */
export function toast(words) {
  const shown = h("p.notice", { role: "alert" }, words);
  document.body.append(shown);
  setTimeout(() => shown.remove(), LASTS);
}
