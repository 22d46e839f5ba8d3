/** The side: log and chat, beside the table; small screens slide it in over the table. */

import { iconButton } from "../base/buttons.js";
import { h } from "../base/dom.js";
import { say } from "../base/words.js";

export const openSide = () => document.body.classList.add("side-open");
export const closeSide = () => document.body.classList.remove("side-open");

/** @param {() => void} [opened] */
export const sideToggle = (opened = () => {}) =>
  iconButton(
    "log",
    say("table.side"),
    () => {
      document.body.classList.toggle("side-open");
      opened();
    },
    { class: "side-toggle" },
  );

/** What stands above the log: its title, and a way back to the table. */
export const sideHead = () =>
  h(
    "div.side-head",
    null,
    h("h2.side-title", null, say("log.label")),
    iconButton("close", say("nav.close"), closeSide, { class: "side-close" }),
  );

// a touch of what is beside it puts it away
addEventListener("pointerdown", ({ target }) => {
  if (target instanceof Element && !target.closest("#side, .side-toggle, #strip, dialog, #tip")) closeSide();
});
