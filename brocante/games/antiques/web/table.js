/** The antiques market on the page: a street of shops, the deck between them, the race for the bonus cards. */

import { centreZone, others, zoneBox } from "../../desk.js";
import { h } from "../../dom.js";
import { race } from "./race.js";
import { item, pile, shop } from "./shop.js";

/**
 * @param {import("../../desk.js").Desk} desk
 * @returns {import("../../stage.js").DrawnTable}
 */
export function draw(desk) {
  const seats = others(desk);
  return {
    table: h(
      "div.antiques",
      null,
      h(
        "div.street",
        { style: { "--shops": seats.length } },
        seats.map((seat) => shop(desk, seat)),
      ),
      h("div.stall", null, deck(desk), discards(desk)),
      race(desk),
    ),
    hand: desk.me < 0 ? null : shop(desk, desk.me),
  };
}

/** @param {import("../../desk.js").Desk} desk */
function deck(desk) {
  const zone = centreZone(desk, "deck");
  return (
    zone &&
    zoneBox(
      "centre.deck",
      zone,
      {},
      zone.stacks.map((stack) =>
        stack.count ? pile(desk, "centre.deck", stack) : h("span.nothing", { "data-key": "nothing" }),
      ),
    )
  );
}

/**
 * The top card is seen, and how many lie below it.
 * @param {import("../../desk.js").Desk} desk
 */
function discards(desk) {
  const zone = centreZone(desk, "discard");
  if (!zone) return null;
  const top = zone.stacks.map((stack) => item(desk, "centre.discard", stack));
  return zoneBox("centre.discard", zone, {}, top.length ? top : h("span.nothing"));
}
