/** Vinto on the page: a cloth with everyone's row of cards around the two piles. */

import { drawing } from "../../base/art.js";
import { h } from "../../base/dom.js";
import { piece } from "../../table/pieces.js";
import { centreZone, others, zoneOf } from "../../table/scene.js";
import { cardFace, index } from "./card.js";
import { choices } from "./choices.js";
import { isSeeing, place } from "./place.js";

/** @import { Stack } from "../../base/wire.js" */
/** @import { Scene } from "../../table/scene.js" */
/** @import { DrawnTable } from "../../table/stage.js" */

export { flights } from "./flights.js";
export { cardFace as face } from "./card.js";
export { adorn } from "./reference.js";

/** Where the others sit, clockwise from the viewer's left, by their number. */
/** @type {Record<number, string[]>} */
const AROUND = {
  3: ["left", "top", "right"],
  4: ["left", "top-left", "top-right", "right"],
  5: ["left", "top-left", "top-right", "right", "bottom"],
};

/** Moves that can be dropped on a pile: plays and tosses on the discard pile, a swap on the card that was turned up. */
/** @type {Record<string, string>} */
const TAKES = { discard: "play toss", drawn: "part" };

/** More actions than this are set closer together. */
const MANY = 4;

const SUITS = ["clubs", "diamonds", "hearts", "spades"];

/**
 * @param {Scene} scene
 * @returns {DrawnTable}
 */
export function draw(scene) {
  const seats = others(scene);
  const around = AROUND[seats.length] ?? [];
  const isAllOpen = seats.every((seat) =>
    zoneOf(scene, seat, "row")?.stacks.every(({ card, count }) => card || !count),
  );
  const seeing = isSeeing(scene) ? "seeing" : "";
  const at = (/** @type {string} */ where) =>
    seats.filter((_, n) => around[n] === where).map((seat) => place(scene, seat, `at-${where}`));
  return {
    table: h(
      "div.vinto",
      {
        class: [
          `around-${seats.length}`,
          scene.now.window === undefined ? "" : "hurry",
          isAllOpen ? "all-open" : "",
          seeing,
        ].join(" "),
      },
      h("div.line", { "data-key": "far" }, at("top-left"), at("top"), at("top-right")),
      h("div.line", { "data-key": "near" }, at("left"), piles(scene), at("right")),
      at("bottom"),
    ),
    hand: scene.me < 0 ? null : place(scene, scene.me, `vinto-mine ${seeing}`),
    choices: choices(scene),
  };
}

/**
 * The two piles, between them the card that was turned up or the actions to come.
 * @param {Scene} scene
 */
const piles = (scene) =>
  h(
    "div.piles",
    { "data-key": "piles" },
    pile(scene, "draw"),
    actions(scene) ?? pile(scene, "drawn"),
    pile(scene, "discard"),
  );

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
      class: `${key} ${stack?.note ? "noted" : ""}`,
      "data-key": where,
      "data-pile": where,
      "data-zone": key,
      "data-takes": TAKES[key] ?? null,
      "aria-label": zone.title,
    },
    h("h2.pile-title", null, zone.title),
    stack?.note && h("p.pile-note", null, stack.note),
    stack ? onPile(scene, where, stack) : h("span.card.gap", null, h("span.no-card")),
  );
}

/**
 * The actions to come, in order. There are none while a card is turned up, so they take its place.
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

/** What is printed on the cloth, seen while no card is turned up. */
const emblem = () =>
  h(
    "span.emblem",
    null,
    SUITS.map((suit) => drawing("vinto", suit)),
  );

/** @param {Stack} stack */
const thickness = ({ count }) => Math.max(0, Math.min(4, count - 1));

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
    { "data-key": where, class: stack.count ? "card" : "card gap", style: { "--layers": thickness(stack) } },
    stack.count ? cardFace(stack.card) : h("span.no-card"), // where the draw pile was, one turns up a card as well
    stack.count > 1 && h("span.count", { "aria-hidden": "true" }, `×${stack.count}`),
  );
}
