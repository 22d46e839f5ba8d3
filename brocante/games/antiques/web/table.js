/** The antiques market on the page: a street of shops, the deck between them, the race for the bonus cards. */

import { h } from "../../base/dom.js";
import { zoneBox } from "../../table/pieces.js";
import { centreZone, others } from "../../table/scene.js";
import { race } from "./race.js";
import { item, pile, shop } from "./place.js";

/** @import { Scene } from "../../table/scene.js" */
/** @import { DrawnTable } from "../../table/stage.js" */

/**
 * @param {Scene} scene
 * @returns {DrawnTable}
 */
export function draw(scene) {
  const seats = others(scene);
  return {
    table: h(
      "div.antiques",
      null,
      h(
        "div.street",
        null,
        seats.map((seat) => shop(scene, seat)),
      ),
      h("div.stall", null, deck(scene), discards(scene)),
      race(scene),
    ),
    hand: scene.me < 0 ? null : shop(scene, scene.me),
  };
}

/** @param {Scene} scene */
function deck(scene) {
  const zone = centreZone(scene, "deck");
  return (
    zone &&
    zoneBox(
      "centre.deck",
      zone,
      {},
      zone.stacks.map((stack) =>
        stack.count ? pile(scene, "centre.deck", stack) : h("span.nothing", { "data-key": "nothing" }),
      ),
    )
  );
}

/**
 * The discard pile: its top card, and how many lie below.
 * @param {Scene} scene
 */
function discards(scene) {
  const zone = centreZone(scene, "discard");
  if (!zone) return null;
  const top = zone.stacks.map((stack) => item(scene, "centre.discard", stack));
  return zoneBox("centre.discard", zone, {}, top.length ? top : h("span.nothing"));
}
