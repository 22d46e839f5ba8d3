/** The drawing of games that have none of their own: everything in the view, zone by zone. */

import { h } from "../base/dom.js";
import { cardPiece, zoneBox } from "./pieces.js";
import { nameplate } from "./players.js";
import { others } from "./scene.js";

/** @import { Zone } from "../base/wire.js" */
/** @import { Scene } from "./scene.js" */
/** @import { DrawnTable } from "./stage.js" */

/**
 * @param {Scene} scene
 * @returns {DrawnTable}
 */
export function draw(scene) {
  const { table } = scene.view;
  const place = (/** @type {number} */ seat) =>
    h(
      "section.place.zones",
      { "data-key": `place-${seat}` },
      nameplate(scene, seat),
      table.places[seat].zones.map((zone) => laidOut(scene, `${seat}.${zone.key}`, zone)),
    );
  return {
    table: h(
      "div.general",
      null,
      h("div.others", null, others(scene).map(place)),
      h(
        "div.centre.zones",
        null,
        table.board.map((zone) => laidOut(scene, `board.${zone.key}`, zone)),
        table.centre.map((zone) => laidOut(scene, `centre.${zone.key}`, zone)),
      ),
    ),
    hand: scene.me < 0 ? null : place(scene.me),
  };
}

/**
 * @param {Scene} scene
 * @param {string} where
 * @param {Zone} zone
 */
const laidOut = (scene, where, zone) =>
  zoneBox(
    where,
    zone,
    {},
    h(
      "div.cards",
      null,
      zone.stacks.map((stack, n) => cardPiece(scene, where, stack, { "data-key": `${where}/${n}` })),
    ),
  );
