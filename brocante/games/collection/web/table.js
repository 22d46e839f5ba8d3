/** Collection on the page: everyone's place, the pack, the viewer's hand. */

import { h } from "../../base/dom.js";
import { cardPiece, zoneBox } from "../../table/pieces.js";
import { centreZone, others, zoneOf } from "../../table/scene.js";
import { offerButton, unplaced } from "../../table/stage.js";
import { place } from "./place.js";

/** @import { Scene } from "../../table/scene.js" */
/** @import { DrawnTable } from "../../table/stage.js" */

export { flights } from "./flights.js";

/**
 * @param {Scene} scene
 * @returns {DrawnTable}
 */
export function draw(scene) {
  const all = others(scene);
  return {
    table: h(
      "div.collection",
      { class: scene.me < 0 ? "watched" : "", style: { "--others": all.length } },
      all.map((seat) => place(scene, seat)),
      h("div.col-centre", null, pile(scene, "pack"), pile(scene, "discard")),
    ),
    hand: scene.me < 0 ? null : h("div.col-own", null, place(scene, scene.me), hand(scene, scene.me)),
    choices: h("div.row", null, unplaced(scene.view, ["end"]).map(offerButton)),
  };
}

/**
 * @param {Scene} scene
 * @param {string} key
 */
function pile(scene, key) {
  const zone = centreZone(scene, key);
  return (
    zone &&
    zoneBox(
      `centre.${key}`,
      zone,
      {},
      h(
        "div.cards",
        null,
        zone.stacks.map((stack) =>
          cardPiece(scene, `centre.${key}`, stack, { class: key === "discard" ? "tiny" : "" }),
        ),
      ),
    )
  );
}

/**
 * @param {Scene} scene
 * @param {number} seat
 */
function hand(scene, seat) {
  const zone = zoneOf(scene, seat, "hand");
  return zone
    ? zoneBox(
        `${seat}.hand`,
        zone,
        { class: "hand" },
        h(
          "div.cards",
          null,
          zone.stacks.map((stack) => cardPiece(scene, `${seat}.hand`, stack)),
        ),
      )
    : null;
}
