/** Port on the page: the Douro with its harbours, the action table, what lies before everyone, one's cards. */

import { drawing } from "../../art.js";
import { others, piece, zoneBox, zoneOf } from "../../desk.js";
import { h } from "../../dom.js";
import { actionTable } from "./actions.js";
import { board } from "./board.js";
import { river } from "./river.js";
import { standings } from "./standings.js";

export { flows } from "./flows.js";

/**
 * @param {import("../../desk.js").Desk} desk
 * @returns {import("../../stage.js").DrawnTable}
 */
export function draw(desk) {
  return {
    table: h(
      "div.port",
      { "data-takes": "card part" },
      h(
        "div.port-table",
        { class: desk.me < 0 ? "watched" : "" },
        river(desk),
        standings(desk),
        actionTable(desk),
        desk.me >= 0 && board(desk, desk.me),
        h(
          "div.port-others",
          { "data-key": "others" },
          others(desk).map((seat) => board(desk, seat)),
        ),
      ),
    ),
    hand: desk.me < 0 ? null : hand(desk, desk.me),
  };
}

/**
 * One's cards, with what they do.
 * @param {import("../../desk.js").Desk} desk
 * @param {number} seat
 */
function hand(desk, seat) {
  const [zone, where] = [zoneOf(desk, seat, "hand"), `${seat}.hand`];
  if (!zone?.stacks.length) return null;
  return zoneBox(
    where,
    zone,
    { class: "port-hand" },
    h(
      "div.tickets",
      null,
      zone.stacks.map((stack) => ticket(desk, where, stack)),
    ),
  );
}

/**
 * @param {import("../../desk.js").Desk} desk
 * @param {string} where
 * @param {import("../../types.js").Stack} stack
 */
function ticket(desk, where, stack) {
  const { card, count } = stack;
  return piece(
    desk,
    where,
    stack,
    { class: "ticket ink-wine" },
    drawing("port", card ? `card-${card.kind}` : "back"),
    h("b", null, card?.name, count > 1 && ` ×${count}`),
    card?.does && h("span.does", null, card.does),
  );
}
