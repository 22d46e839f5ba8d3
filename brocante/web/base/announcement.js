/** What the operator of the server says to everyone: a line over the page, which the reader can put away. */

import { iconButton } from "./buttons.js";
import { h } from "./dom.js";
import { findFocus } from "./focus.js";
import { say } from "./words.js";

/** What the reader has put away; it is not shown again. */
let putAway = "";
let shown = "";

/** @param {string} text empty: there is nothing to say any more */
export function announce(text) {
  if (text === shown) return;
  shown = text;
  document.getElementById("announcement")?.remove();
  if (!text || text === putAway) return;
  const close = iconButton("close", say("nav.close"), () => {
    putAway = text;
    bar.remove();
    findFocus();
  });
  const words = h("p", { role: "status" });
  const bar = h("aside#announcement", { "aria-label": say("nav.announcement") }, words, close);
  document.body.prepend(bar);
  requestAnimationFrame(() => (words.textContent = text)); // what changes is read out; what is there is not
}
