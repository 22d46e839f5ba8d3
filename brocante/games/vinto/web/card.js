/** The face of a playing card: rank and suit in two corners, and in between the pips, a court figure or the joker. */

import { drawing } from "../../base/art.js";
import { h } from "../../base/dom.js";

/** @import { Card } from "../../base/wire.js" */

const GAME = "vinto";
/** @type {Record<string, string>} */
const SUITS = { "♣": "clubs", "♦": "diamonds", "♥": "hearts", "♠": "spades" };
/** @type {Record<string, string>} */
const FIGURES = { J: "jack", Q: "queen", K: "king", X: "joker" };

/** The heights of the pips, from 0 (top) to 1: in the two outer columns, and in the middle one. */
const [TWO, THREE, FOUR] = [
  [0, 1],
  [0, 0.5, 1],
  [0, 1 / 3, 2 / 3, 1],
];
const OUTER = [[], [], [], [], TWO, TWO, THREE, THREE, THREE, FOUR, FOUR];
const MIDDLE = [[], [0.5], TWO, THREE, [], [0.5], [], [0.25], [0.25, 0.75], [0.5], [1 / 6, 5 / 6]];

/**
 * The figure of a rank, if it has one.
 * @param {string} rank
 * @param {Record<string, any>} [props]
 */
export const figure = (rank, props) => (FIGURES[rank] ? drawing(GAME, FIGURES[rank], props) : null);

/**
 * A rank without a suit, for cards as small as a key.
 * @param {string} rank
 */
export const rankFace = (rank) => [figure(rank), h("b", { "data-print": rank === "X" ? "★" : rank })];

/**
 * Another card has another key, so that it is another element and turns over when it appears.
 * @param {Card | null} card null: face down
 */
export function cardFace(card) {
  if (!card) return h("span.face.playing.back", { "data-key": "back" });
  return h(
    "span.face.playing",
    { class: `ink-${card.ink} ${FIGURES[card.kind] ? "court" : ""}`, "data-key": card.name },
    index(card),
    figure(card.kind, { class: "figure" }) ?? pips(card),
    index(card),
  );
}

/**
 * Rank and suit. They are not text, because screen readers read the card's name.
 * @param {Card} card
 */
export const index = ({ corner, sign }) =>
  h("span.index", null, corner && h("b", { "data-print": corner }), suit(sign) ?? h("i", { "data-print": sign }));

/**
 * A suit as a picture of the style sheet: a card has up to twelve, and drawings would be laid out and painted one by one.
 * @param {string} sign
 * @param {Record<string, any>} [props]
 */
const suit = (sign, props) => (SUITS[sign] ? h(`span.art.suit.${SUITS[sign]}`, props) : null);

/** @param {Card} card */
function pips({ kind, sign }) {
  const n = Number(kind) || 1;
  const at = (/** @type {number} */ x, /** @type {number} */ y) =>
    suit(sign, { class: y > 0.5 ? "turned" : "", style: { left: `${x * 100}%`, top: `${y * 100}%` } });
  return h(
    "span.pips",
    { class: n === 1 ? "single" : "" },
    OUTER[n].flatMap((y) => [at(0, y), at(1, y)]),
    MIDDLE[n].map((y) => at(0.5, y)),
  );
}
