/** Buttons for the top bar of a table: the reference card, the rules. What they open is fetched when somebody wants it. */

import { iconButton } from "../base/buttons.js";
import { pressed } from "../base/progress.js";
import { say } from "../base/words.js";

/** @import { Work } from "../base/progress.js" */
/** @import { GameInfo } from "../base/wire.js" */
/** @import { Drawing } from "../table/stage.js" */

/**
 * @param {GameInfo} box
 * @param {Drawing} drawing
 */
export const rulesButtons = (box, drawing) => [
  box.reference &&
    rulesButton("reference", async (stop) => (await import("./rules.js")).openReference(box, drawing, stop)),
  rulesButton("rules", async (stop) => (await import("./rules.js")).openRules(box, stop)),
];

/**
 * @param {"reference" | "rules"} what
 * @param {Work} work
 */
const rulesButton = (what, work) => iconButton(what, say(`nav.${what}`), pressed(work), { "data-do": what });
