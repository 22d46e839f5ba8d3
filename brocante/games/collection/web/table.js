/** Collection on the page: everyone's sets as they grow, with what threatens them; the pack; one's hand. */

import { cardPiece, centreZone, face, nameplate, others, piece, zoneBox, zoneOf } from "../../desk.js";
import { h } from "../../dom.js";
import { offerButton, unplaced } from "../../stage.js";

/**
 * @param {import("../../desk.js").Desk} desk
 * @returns {import("../../stage.js").DrawnTable}
 */
export function draw(desk) {
  return {
    table: h(
      "div.collection",
      null,
      h(
        "div.col-others",
        null,
        others(desk).map((seat) => place(desk, seat)),
      ),
      h(
        "div.col-mine",
        null,
        desk.me >= 0 && place(desk, desk.me),
        h("div.col-centre", null, pile(desk, "pack"), pile(desk, "discard")),
      ),
    ),
    hand: desk.me < 0 ? null : hand(desk, desk.me),
    choices: h("div.row", null, unplaced(desk.view, ["end"]).map(offerButton)),
  };
}

/**
 * @param {import("../../desk.js").Desk} desk
 * @param {number} seat
 */
function place(desk, seat) {
  const [sets, held, points] = ["table", "hand", "points"].map((key) => zoneOf(desk, seat, key));
  return h(
    "section.place",
    { "data-key": `place-${seat}`, "aria-label": desk.info.seats[seat].name, class: seat === desk.me ? "mine" : "" },
    nameplate(desk, seat),
    sets &&
      zoneBox(
        `${seat}.table`,
        sets,
        { "data-takes": seat === desk.me ? "place" : null },
        h(
          "div.sets",
          null,
          sets.stacks.map((stack) => growing(desk, `${seat}.table`, stack)),
        ),
      ),
    h(
      "div.col-besides",
      null,
      seat !== desk.me && held && zoneBox(`${seat}.hand`, held, {}, fan(desk, `${seat}.hand`, held)),
      points &&
        points.stacks.length > 0 &&
        zoneBox(
          `${seat}.points`,
          points,
          {},
          h(
            "div.won-cards",
            null,
            points.stacks.map((stack) => cardPiece(desk, `${seat}.points`, stack, { class: "tiny" })),
          ),
        ),
    ),
  );
}

/**
 * A collection as it grows: its cards lie one over the other, and the places still to be filled are seen.
 * @param {import("../../desk.js").Desk} desk
 * @param {string} where
 * @param {import("../../types.js").Stack} stack
 */
function growing(desk, where, stack) {
  const { count, goal, note, card } = stack;
  const game = desk.view.game;
  return piece(
    desk,
    where,
    stack,
    { class: `set card ${note ? "threatened" : ""}`, style: { "--n": count } },
    h(
      "span.heap",
      null,
      Array.from({ length: count }, (_, n) => h("span.one", { style: { "--at": n } }, face(game, card))),
    ),
    h(
      "span.steps",
      { "aria-hidden": "true" },
      Array.from({ length: goal }, (_, n) => h("i", { class: n < count ? "full" : "" })),
      h("b", null, `${count}/${goal}`),
    ),
    note && h("span.threat", { "aria-hidden": "true" }, note),
  );
}

/**
 * The cards of somebody else: one sees how many.
 * @param {import("../../desk.js").Desk} desk
 * @param {string} where
 * @param {import("../../types.js").Zone} zone
 */
function fan(desk, where, zone) {
  const open = zone.stacks.some((stack) => stack.card);
  if (open)
    return h(
      "div.won-cards",
      null,
      zone.stacks.map((stack) => cardPiece(desk, where, stack, { class: "tiny" })),
    );
  return h(
    "div.fan",
    null,
    zone.stacks.map((stack) =>
      piece(
        desk,
        where,
        stack,
        { class: "card tiny" },
        Array.from({ length: Math.min(stack.count, 10) }, () => face(desk.view.game, null)),
        stack.count > 1 && h("span.count", { "aria-hidden": "true" }, `×${stack.count}`),
      ),
    ),
  );
}

/**
 * @param {import("../../desk.js").Desk} desk
 * @param {string} key
 */
function pile(desk, key) {
  const zone = centreZone(desk, key);
  return (
    zone &&
    zoneBox(
      `centre.${key}`,
      zone,
      {},
      h(
        "div.cards",
        null,
        zone.stacks.map((stack) => cardPiece(desk, `centre.${key}`, stack, { class: key === "discard" ? "tiny" : "" })),
      ),
    )
  );
}

/**
 * @param {import("../../desk.js").Desk} desk
 * @param {number} seat
 */
function hand(desk, seat) {
  const zone = zoneOf(desk, seat, "hand");
  return zone
    ? zoneBox(
        `${seat}.hand`,
        zone,
        { class: "hand" },
        h(
          "div.cards",
          null,
          zone.stacks.map((stack) => cardPiece(desk, `${seat}.hand`, stack)),
        ),
      )
    : null;
}
