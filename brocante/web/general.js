/** How a game is drawn that brings no drawing of its own: everything the view has, zone by zone. */

import { cardPiece, nameplate, others, zoneBox } from "./desk.js";
import { h } from "./dom.js";

/**
 * @param {import("./desk.js").Desk} desk
 * @returns {import("./stage.js").DrawnTable}
 */
export function draw(desk) {
  const { table } = desk.view;
  const place = (/** @type {number} */ seat) =>
    h(
      "section.place",
      { "data-key": `place-${seat}` },
      nameplate(desk, seat),
      table.places[seat].zones.map((zone) => laidOut(desk, `${seat}.${zone.key}`, zone)),
    );
  return {
    table: h(
      "div.general",
      null,
      h("div.others", null, others(desk).map(place)),
      h(
        "div.centre",
        null,
        table.board.map((zone) => laidOut(desk, `board.${zone.key}`, zone)),
        table.centre.map((zone) => laidOut(desk, `centre.${zone.key}`, zone)),
      ),
    ),
    hand: desk.me < 0 ? null : place(desk.me),
  };
}

/**
 * @param {import("./desk.js").Desk} desk
 * @param {string} where
 * @param {import("./types.js").Zone} zone
 */
const laidOut = (desk, where, zone) =>
  zoneBox(
    where,
    zone,
    {},
    h(
      "div.cards",
      null,
      zone.stacks.map((stack, n) => cardPiece(desk, where, stack, { "data-key": `${where}/${n}` })),
    ),
  );
