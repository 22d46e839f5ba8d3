/** What stands on an Estate: the cubes of vineyard and brandy, and the barrels of its harvest. */

import { drawing } from "../../base/art.js";
import { h } from "../../base/dom.js";

/** @import { Mark, Stack } from "../../base/wire.js" */

/** @param {Mark[]} marks */
export const cubes = (marks) =>
  h(
    "span.cubes",
    null,
    marks.map((mark) => h("i", { class: `ink-${mark.ink}` }, mark.ink === "faint" ? "" : mark.sign)),
  );

/**
 * The barrels of a harvest in short: 2×Q4.
 * @param {Stack} stack
 */
export const crop = ({ count, note }) => count > 0 && h("span.crop.ink-wine", null, drawing("port", "barrel"), note);

/**
 * Barrels, each drawn.
 * @param {number} count
 */
export const barrels = (count) =>
  h(
    "span.barrels",
    null,
    Array.from({ length: count }, () => drawing("port", "barrel")),
  );
