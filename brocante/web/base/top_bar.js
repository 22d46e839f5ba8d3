/** The bar at the top of every page. */

import { sign } from "./art.js";
import { iconButton } from "./buttons.js";
import { h } from "./dom.js";
import { pressed } from "./progress.js";
import { say } from "./words.js";

/** @import { Child } from "./dom.js" */

const settle = pressed(async () => (await import("./settings_dialog.js")).openSettings());

/**
 * @param {Child} title
 * @param {...Child} buttons
 */
export function topBar(title, ...buttons) {
  return h(
    "header.top",
    null,
    h("a.home", { href: "/", "aria-label": say("nav.home"), "data-tip": say("nav.home") }, sign("icon")),
    h("div.title", null, title),
    h("nav", { "aria-label": say("nav.label") }, ...buttons, iconButton("gear", say("nav.settings"), settle)),
  );
}
