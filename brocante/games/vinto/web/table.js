/** Vinto on the page: a cloth with everyone's row of cards around the two piles; one's own row under the thumb. */

import { drawing } from "../../art.js";
import { centreZone, described, labels, nameplate, others, piece, zoneOf } from "../../desk.js";
import { h } from "../../dom.js";
import { say } from "../../words.js";
import { cardFace, index } from "./card.js";
import { choices } from "./choices.js";
import { slotPlace } from "./flows.js";

export { flows } from "./flows.js";
export { adorn } from "./reference.js";

/** Where the others sit, clockwise from one's left, by how many they are. */
/** @type {Record<number, string[]>} */
const AROUND = {
  3: ["left", "top", "right"],
  4: ["left", "top-left", "top-right", "right"],
  5: ["left", "top-left", "top-right", "right", "bottom"],
};

/** What can be let go where: on the pile what is played or tossed in, on the card that was turned up one to swap. */
/** @type {Record<string, string>} */
const TAKES = { discard: "play toss", drawn: "part" };

/** More actions than this stand closer together. */
const MANY = 4;

const SUITS = ["clubs", "diamonds", "hearts", "spades"];

/**
 * @param {import("../../desk.js").Desk} desk
 * @returns {import("../../stage.js").DrawnTable}
 */
export function draw(desk) {
  const seats = others(desk);
  const around = AROUND[seats.length] ?? [];
  return {
    table: h(
      "div.vinto",
      { class: `around-${seats.length} ${desk.now.window === undefined ? "" : "hurry"}` },
      seats.map((seat, n) => place(desk, seat, `at-${around[n]}`)),
      piles(desk),
    ),
    hand: desk.me < 0 ? null : place(desk, desk.me, "vinto-mine"),
    choices: choices(desk),
  };
}

/**
 * A player with the row of cards.
 * @param {import("../../desk.js").Desk} desk
 * @param {number} seat
 * @param {string} where
 */
function place(desk, seat, where) {
  const zone = zoneOf(desk, seat, "row");
  return h(
    "section.seat",
    { "data-key": `seat-${seat}`, class: where, "aria-label": desk.info.seats[seat]?.name ?? "" },
    nameplate(desk, seat),
    zone && row(desk, seat, zone),
    zone?.note && h("p.ribbon", null, zone.note),
  );
}

/**
 * @param {import("../../desk.js").Desk} desk
 * @param {number} seat
 * @param {import("../../types.js").Zone} zone
 */
function row(desk, seat, zone) {
  const props = { "data-pile": `${seat}.row`, role: "group", "aria-label": zone.title };
  return h(
    "div.slots",
    { ...props, style: { "--n": perLine(zone.stacks.length) } },
    zone.stacks.map((stack, k) => slot(desk, seat, zone, stack, k)),
  );
}

/** How many cards of a row lie side by side: a row that has grown long takes a second line. */
const perLine = (/** @type {number} */ n) => Math.min(Math.max(5, n), 8);

/**
 * A card in its slot, or the gap where one was. What lies open among hidden cards is what one sees for a moment.
 * @param {import("../../desk.js").Desk} desk
 * @param {number} seat
 * @param {import("../../types.js").Zone} zone
 * @param {import("../../types.js").Stack} stack
 * @param {number} k
 */
function slot(desk, seat, zone, stack, k) {
  const seen = stack.card && zone.stacks.some(({ card, count }) => count && !card);
  const where = slotPlace(seat, k);
  return piece(
    desk,
    where,
    stack,
    {
      "data-key": where,
      class: `card slot ${seen ? "seen" : ""} ${stack.count ? "" : "gap"}`,
      "aria-label": say("vinto.slot", { n: k + 1, what: described(stack) }),
    },
    stack.count ? cardFace(stack.card) : h("span.no-card"),
    seen && drawing("vinto", "eye", { class: "eye" }),
    h("span.number", { "data-print": k + 1 }),
  );
}

/**
 * The two piles with the card that was turned up between them, or the actions to come, and below what touching it would do.
 * @param {import("../../desk.js").Desk} desk
 */
function piles(desk) {
  const stacks = ["drawn", "discard"].flatMap((key) => centreZone(desk, key)?.stacks ?? []);
  const moves = stacks.flatMap((stack) => stack.moves);
  return h(
    "div.piles",
    { "data-key": "piles" },
    pile(desk, "draw"),
    actions(desk) ?? pile(desk, "drawn"),
    pile(desk, "discard"),
    h("p.does", { "aria-hidden": "true" }, labels(desk, moves).join(" · ")),
  );
}

/**
 * @param {import("../../desk.js").Desk} desk
 * @param {string} key
 */
function pile(desk, key) {
  const zone = centreZone(desk, key);
  if (!zone) return h("div.pile", { class: key, "data-key": key }, emblem());
  const where = `centre.${key}`;
  const [stack] = zone.stacks;
  return h(
    "section.pile",
    {
      class: key,
      "data-key": where,
      "data-pile": where,
      "data-zone": key,
      "data-takes": TAKES[key] ?? null,
      "aria-label": zone.title,
    },
    h("h2.pile-title", null, zone.title),
    stack?.count ? onPile(desk, where, stack) : h("span.card.gap", null, h("span.no-card")),
    stack?.note && h("p.note-below", null, stack.note),
  );
}

/**
 * Whose actions are to come, in order: there is none while a card is turned up, so the list has its place.
 * @param {import("../../desk.js").Desk} desk
 */
function actions(desk) {
  const zone = centreZone(desk, "waiting");
  if (!zone) return null;
  return h(
    "section.pile.drawn.to-come",
    { "data-key": "waiting", "data-zone": zone.key, "aria-label": zone.title },
    h("h2.pile-title", null, zone.title),
    h("ol.actions", { class: zone.stacks.length > MANY ? "many" : "" }, zone.stacks.map(action)),
  );
}

/** @param {import("../../types.js").Stack} stack */
const action = ({ card, note, chosen }) =>
  card &&
  h(
    "li",
    { "data-key": card.name, class: chosen ? "now" : "" },
    h("span.chip", { class: `ink-${card.ink}`, role: "img", "aria-label": card.name }, index(card)),
    h("span.whose", null, note),
  );

/** Where no card is turned up one sees what is printed on the cloth. */
const emblem = () =>
  h(
    "span.emblem",
    null,
    SUITS.map((suit) => drawing("vinto", suit)),
  );

/**
 * @param {import("../../desk.js").Desk} desk
 * @param {string} where
 * @param {import("../../types.js").Stack} stack
 */
function onPile(desk, where, stack) {
  return piece(
    desk,
    where,
    stack,
    { "data-key": where, class: "card", style: { "--layers": Math.min(4, stack.count - 1) } },
    cardFace(stack.card),
    stack.count > 1 && h("span.count", { "aria-hidden": "true" }, `×${stack.count}`),
  );
}
