/** What lies before a player: Estates, the hold of the boat, the cellar, the warehouse, the backs of their cards. */

import { drawing } from "../../art.js";
import { described, nameplate, piece, zoneBox, zoneOf } from "../../desk.js";
import { h } from "../../dom.js";
import { markOf } from "../../players.js";
import { say } from "../../words.js";
import { barrels, crop, cubes } from "./estate.js";
import { pileOf } from "./flows.js";

/** @typedef {import("../../desk.js").Desk} Desk */
/** @typedef {import("../../types.js").Stack} Stack */

/**
 * On a phone the boards of the others fold.
 * @param {Desk} desk
 * @param {number} seat
 */
export function board(desk, seat) {
  const mine = seat === desk.me;
  const who = desk.info.seats[seat]?.name ?? "";
  return h(
    "section.place.board",
    {
      "data-key": `place-${seat}`,
      class: `${mine ? "mine" : ""} ink-${markOf(desk.view, seat).ink}`,
      "aria-label": who,
    },
    h(
      "div.plate",
      { "data-pile": `${seat}.markers` },
      nameplate(desk, seat),
      !mine && h("details.fold", null, h("summary", { "aria-label": say("port.board", { who }) })),
    ),
    h(
      "div.lies",
      null,
      estates(desk, seat),
      !mine && cards(desk, seat),
      hold(desk, seat),
      cellar(desk, seat),
      h(
        "div.warehouse",
        null,
        ["ruby", "tawny"].map((side) => shelves(desk, seat, `warehouse-${side}`)),
      ),
    ),
  );
}

/**
 * @param {Desk} desk
 * @param {number} seat
 */
function estates(desk, seat) {
  const [zone, where] = [zoneOf(desk, seat, "estates"), `${seat}.estates`];
  return (
    zone &&
    zoneBox(
      where,
      zone,
      { class: "estates" },
      h(
        "div.tiles",
        null,
        zone.stacks.map((stack) => estate(desk, where, stack)),
      ),
    )
  );
}

/**
 * @param {Desk} desk
 * @param {string} where
 * @param {Stack} stack
 */
function estate(desk, where, stack) {
  const { card } = stack;
  return (
    card &&
    piece(
      desk,
      where,
      stack,
      { class: "estate", "data-tip": described(stack) },
      h("span.house", null, drawing("port", "estate")),
      h("b", null, card.sign, " ", card.corner),
      cubes(card.marks),
      crop(stack),
    )
  );
}

/**
 * The boat with its three places.
 * @param {Desk} desk
 * @param {number} seat
 */
function hold(desk, seat) {
  const zone = zoneOf(desk, seat, "boat");
  return (
    zone &&
    zoneBox(
      `${seat}.boat`,
      zone,
      { class: "hold" },
      h(
        "div.hull",
        null,
        zone.stacks.map((stack, n) => harvest(desk, seat, "boat", stack, `${zone.title}, ${n + 1}`)),
      ),
    )
  );
}

/**
 * @param {Desk} desk
 * @param {number} seat
 */
function cellar(desk, seat) {
  const zone = zoneOf(desk, seat, "cellar");
  return (
    zone &&
    zoneBox(
      `${seat}.cellar`,
      zone,
      { class: "cellar" },
      h(
        "div.columns",
        null,
        zone.stacks.map((stack) => harvest(desk, seat, "cellar", stack, columnName(desk, seat, stack))),
      ),
    )
  );
}

/**
 * A column is called as the lowest category of its side, with its number.
 * @param {Desk} desk
 * @param {number} seat
 * @param {Stack} stack
 */
function columnName(desk, seat, { card }) {
  const [side, n] = (card?.kind ?? "").split("-");
  return `${zoneOf(desk, seat, `warehouse-${side}`)?.stacks[0].card?.name} ${n}`;
}

/**
 * A place for a harvest, and what is there.
 * @param {Desk} desk
 * @param {number} seat
 * @param {string} stage
 * @param {Stack} stack
 * @param {string} title
 */
function harvest(desk, seat, stage, stack, title) {
  const { card, count } = stack;
  const pile = pileOf(seat, stage, card?.kind ?? "");
  const words = `${title}: ${count ? card?.name : say("piece.nothing")}`;
  return piece(
    desk,
    pile,
    stack,
    { class: `harvest ink-${card?.ink} ${count ? "" : "empty"}`, "aria-label": words, "data-tip": words },
    h("span.sign-of", null, stage === "cellar" && seat === desk.me ? title : card?.sign),
    barrels(count),
    count > 0 && h("b", null, card?.name),
  );
}

/**
 * A side of the warehouse, its highest category on top.
 * @param {Desk} desk
 * @param {number} seat
 * @param {string} key
 */
function shelves(desk, seat, key) {
  const zone = zoneOf(desk, seat, key);
  return (
    zone &&
    zoneBox(
      `${seat}.${key}`,
      zone,
      { class: "shelves" },
      h("div.categories", null, zone.stacks.map((stack) => category(desk, seat, `${seat}.${key}`, stack)).reverse()),
    )
  );
}

/**
 * A category: which qualities reach it, how full it is, what it pays.
 * @param {Desk} desk
 * @param {number} seat
 * @param {string} where
 * @param {Stack} stack
 */
function category(desk, seat, where, stack) {
  const { card, count, goal } = stack;
  if (!card) return null;
  const spaces = Array.from({ length: Math.max(count, goal) }, (_, n) => h("i", { class: n < count ? "full" : "" }));
  return piece(
    desk,
    where,
    stack,
    { class: `category ink-${card.ink}`, "data-tip": described(stack) },
    drawing("port", `category-${card.kind}`),
    h(
      "span.called",
      null,
      h("b.in-short", null, card.sign),
      h("b.in-full", null, card.name),
      h("small", null, card.corner),
    ),
    h("span.spaces", { "data-pile": pileOf(seat, "warehouse", card.kind) }, spaces),
    h("span.pays", null, card.foot),
  );
}

/**
 * The cards of somebody else: how many, or which if one may see them.
 * @param {Desk} desk
 * @param {number} seat
 */
function cards(desk, seat) {
  const [zone, where] = [zoneOf(desk, seat, "hand"), `${seat}.hand`];
  return (
    zone &&
    zoneBox(
      where,
      zone,
      { class: "held" },
      h(
        "div.backs",
        null,
        zone.stacks.map((stack) =>
          piece(
            desk,
            where,
            stack,
            { class: "held-card ink-wine", "data-tip": described(stack) },
            Array.from({ length: stack.count }, () => drawing("port", stack.card ? `card-${stack.card.kind}` : "back")),
            !stack.card && h("b", null, stack.count),
          ),
        ),
      ),
    )
  );
}
