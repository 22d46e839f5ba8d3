/** Vinto on the page: a cloth with everyone's row of cards around the two piles; one's own row under the thumb. */

import { drawing } from "../../base/art.js";
import { h } from "../../base/dom.js";
import { say } from "../../base/words.js";
import { described, piece } from "../../table/pieces.js";
import { nameplate } from "../../table/players.js";
import { centreZone, labels, others, zoneOf } from "../../table/scene.js";
import { cardFace, index } from "./card.js";
import { choices } from "./choices.js";
import { slotPlace } from "./flights.js";

/** @import { Stack, Zone } from "../../base/wire.js" */
/** @import { Scene } from "../../table/scene.js" */
/** @import { DrawnTable } from "../../table/stage.js" */

export { flights } from "./flights.js";
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
 * @param {Scene} scene
 * @returns {DrawnTable}
 */
export function draw(scene) {
  const seats = others(scene);
  const around = AROUND[seats.length] ?? [];
  return {
    table: h(
      "div.vinto",
      { class: `around-${seats.length} ${scene.now.window === undefined ? "" : "hurry"}` },
      seats.map((seat, n) => place(scene, seat, `at-${around[n]}`)),
      piles(scene),
    ),
    hand: scene.me < 0 ? null : place(scene, scene.me, "vinto-mine"),
    choices: choices(scene),
  };
}

/**
 * A player with the row of cards.
 * @param {Scene} scene
 * @param {number} seat
 * @param {string} where
 */
function place(scene, seat, where) {
  const zone = zoneOf(scene, seat, "row");
  return h(
    "section.seat",
    { "data-key": `seat-${seat}`, class: where, "aria-label": scene.info.seats[seat]?.name ?? "" },
    nameplate(scene, seat),
    zone && row(scene, seat, zone),
    zone?.note && h("p.ribbon", null, zone.note),
  );
}

/**
 * @param {Scene} scene
 * @param {number} seat
 * @param {Zone} zone
 */
function row(scene, seat, zone) {
  const props = { "data-pile": `${seat}.row`, role: "group", "aria-label": zone.title };
  return h(
    "div.slots",
    { ...props, style: { "--n": perLine(zone.stacks.length) } },
    zone.stacks.map((stack, k) => slot(scene, seat, zone, stack, k)),
  );
}

/** How many cards of a row lie side by side: a row that has grown long takes a second line. */
const perLine = (/** @type {number} */ n) => Math.min(Math.max(5, n), 8);

/**
 * A card in its slot, or the gap where one was. What lies open among hidden cards is what one sees for a moment.
 * @param {Scene} scene
 * @param {number} seat
 * @param {Zone} zone
 * @param {Stack} stack
 * @param {number} k
 */
function slot(scene, seat, zone, stack, k) {
  const seen = stack.card && zone.stacks.some(({ card, count }) => count && !card);
  const where = slotPlace(seat, k);
  return piece(
    scene,
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
 * @param {Scene} scene
 */
function piles(scene) {
  const stacks = ["drawn", "discard"].flatMap((key) => centreZone(scene, key)?.stacks ?? []);
  const moves = stacks.flatMap((stack) => stack.moves);
  return h(
    "div.piles",
    { "data-key": "piles" },
    pile(scene, "draw"),
    actions(scene) ?? pile(scene, "drawn"),
    pile(scene, "discard"),
    h("p.does", { "aria-hidden": "true" }, labels(scene, moves).join(" · ")),
  );
}

/**
 * @param {Scene} scene
 * @param {string} key
 */
function pile(scene, key) {
  const zone = centreZone(scene, key);
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
    stack?.count ? onPile(scene, where, stack) : h("span.card.gap", null, h("span.no-card")),
    stack?.note && h("p.note-below", null, stack.note),
  );
}

/**
 * Whose actions are to come, in order: there is none while a card is turned up, so the list has its place.
 * @param {Scene} scene
 */
function actions(scene) {
  const zone = centreZone(scene, "waiting");
  if (!zone) return null;
  return h(
    "section.pile.drawn.to-come",
    { "data-key": "waiting", "data-zone": zone.key, "aria-label": zone.title },
    h("h2.pile-title", null, zone.title),
    h("ol.actions", { class: zone.stacks.length > MANY ? "many" : "" }, zone.stacks.map(action)),
  );
}

/** @param {Stack} stack */
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
 * @param {Scene} scene
 * @param {string} where
 * @param {Stack} stack
 */
function onPile(scene, where, stack) {
  return piece(
    scene,
    where,
    stack,
    { "data-key": where, class: "card", style: { "--layers": Math.min(4, stack.count - 1) } },
    cardFace(stack.card),
    stack.count > 1 && h("span.count", { "aria-hidden": "true" }, `×${stack.count}`),
  );
}
