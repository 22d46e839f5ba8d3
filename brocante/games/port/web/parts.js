/** The parts of the table, of which a small screen shows one at a time: river, actions, the viewer's board, the others'. */

import { h } from "../../base/dom.js";
import { say } from "../../base/words.js";
import { playerMark } from "../../table/players.js";
import { unfold, unfoldedIn, unfolder } from "../../table/unfold.js";

/** @import { Child } from "../../base/dom.js" */
/** @import { Zone } from "../../base/wire.js" */
/** @import { Scene } from "../../table/scene.js" */

/** @typedef {"river" | "actions" | "mine" | "others"} Part */

/** For which decision a part was opened last: one that the reader opens meanwhile stays open. */
let decision = "";

/**
 * @param {Part} key
 * @param {...Child} content
 */
export const part = (key, ...content) =>
  h("div.part", { "data-key": key, "data-part": `port/${key}`, class: key }, ...content);

/**
 * Open the part in which something can be touched, when there is something to decide.
 * @param {Scene} scene
 */
export function openPart(scene) {
  const parts = partsToTouch(scene);
  const asked = scene.view.prompt + JSON.stringify(scene.view.offers.map(({ move }) => move));
  if (!unfoldedIn("port")) unfold("port", "river");
  if (asked !== decision && parts.length && !parts.includes(/** @type {Part} */ (unfoldedIn("port")))) {
    unfold("port", parts[0]);
  }
  decision = asked;
}

/**
 * @param {Scene} scene
 * @returns {Part[]}
 */
function partsToTouch({ view, me }) {
  const isTouchable = (/** @type {Zone} */ zone) => [zone, ...zone.stacks].some(({ moves }) => moves.length);
  const own = view.table.places[me]?.zones.filter(({ key }) => key !== "hand") ?? [];
  /** @type {Part[]} */
  const parts = [];
  if (view.table.board.some((zone) => zone.key !== "actions" && isTouchable(zone))) parts.push("river");
  if (view.table.board.some((zone) => zone.key === "actions" && isTouchable(zone))) parts.push("actions");
  if (own.some(isTouchable)) parts.push("mine");
  return parts;
}

/**
 * The buttons that open the parts, with everyone's score.
 * @param {Scene} scene
 * @param {number[]} others
 */
export function partButtons(scene, others) {
  const parts = partsToTouch(scene);
  const button = (/** @type {Part} */ key, /** @type {number[]} */ seats) =>
    unfolder(
      "port",
      key,
      { class: parts.includes(key) ? "touchable" : "" },
      h("b", null, say(`port.part.${key}`)),
      h(
        "span.scores",
        null,
        seats.map((seat) => h("span", null, playerMark(scene.view, seat), scene.view.table.places[seat].score)),
      ),
    );
  return h(
    "nav.parts",
    { "aria-label": say("port.parts"), "data-key": "parts" },
    button("river", []),
    button("actions", []),
    scene.me >= 0 && button("mine", [scene.me]),
    button("others", others),
  );
}
