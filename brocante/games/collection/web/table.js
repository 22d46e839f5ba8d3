/** Collection on the page: everyone's sets as they grow, with what threatens them; point cards; the pack; one's hand. */

import { cardPiece, centreZone, described, face, nameplate, others, piece, zoneBox, zoneOf } from "../../desk.js";
import { h } from "../../dom.js";
import { offerButton, unplaced } from "../../stage.js";
import { WAYS, wayOf } from "./flows.js";

export { flows } from "./flows.js";

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
      points && points.stacks.length > 0 && pointCards(desk, seat, points),
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
 * Point cards: those of complete collections upright, those of closed ones sideways, each with their points above them.
 * @param {import("../../desk.js").Desk} desk
 * @param {number} seat
 * @param {import("../../types.js").Zone} zone
 */
function pointCards(desk, seat, zone) {
  const card = (/** @type {string} */ where, /** @type {import("../../types.js").Stack} */ stack) =>
    cardPiece(desk, where, stack, { class: "tiny", "data-tip": described(stack) });
  const lying = (/** @type {string} */ way) => {
    const where = `${seat}.${way}`;
    const stacks = zone.stacks.filter((stack) => wayOf(stack) === way);
    return (
      stacks.length > 0 &&
      h(
        "div",
        { "data-key": where, class: way },
        h("h3.zone-title", null, stacks[0].note),
        h(
          "div.won-cards",
          null,
          stacks.map((stack) => card(where, { ...stack, note: null })),
        ),
      )
    );
  };
  const where = `${seat}.points`;
  const props = { "data-key": where, "data-pile": where, "data-zone": zone.key, "aria-label": zone.title };
  return h("section.zone.col-points", props, WAYS.map(lying));
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
