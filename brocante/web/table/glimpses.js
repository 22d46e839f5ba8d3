/**
 * Glimpses: cards that somebody looks at, shows or moves. For three seconds they are marked where they lie, and open to those
 * who may see them; play goes on meanwhile.
 */

/** @import { Flight } from "./moved_pieces.js" */
/** @import { Card, Event as TableEvent, Gesture, Moment, Stack, Table, View, Zone } from "../base/wire.js" */

/** Milliseconds for which a glimpse lasts. */
const LASTS = 3000;

/** @typedef {{ gesture: Gesture, card: Card | null, ends: number }} Glimpse */
/** @typedef {Stack & { gesture?: Gesture }} GlimpsedStack */

export class Glimpses {
  /** @type {Map<string, Glimpse>} by the place of the card */
  current = new Map();
  /** @type {Flight[]} cards that have changed places and were not shown flying yet */
  flying = [];

  /** @param {() => void} ended called when a glimpse is over */
  constructor(ended) {
    this.ended = ended;
  }

  /**
   * Begin the glimpses of an event. A card that moves is no longer where it was seen.
   * @param {TableEvent} event
   * @returns {Moment[]} the moments that are no glimpse, but something that the whole table shows
   */
  begin({ gestures = [], moments = [] }) {
    const isGlimpse = (/** @type {Moment} */ { table }) =>
      hidesSome(table) && placesOf(gestures).some((place) => stackAt(table, place)?.card);
    const seen = moments.filter(isGlimpse);
    for (const gesture of gestures) {
      for (const place of gesture.at) {
        const open = gesture.does !== "move" && seen.map(({ table }) => stackAt(table, place)?.card).find(Boolean);
        this.current.set(place, { gesture, card: open || null, ends: performance.now() + LASTS });
      }
    }
    this.flying.push(...exchanges(gestures));
    if (gestures.length) setTimeout(() => this.end(), LASTS);
    return moments.filter((moment) => !seen.includes(moment));
  }

  end() {
    for (const [place, { ends }] of this.current) if (ends <= performance.now()) this.current.delete(place);
    this.ended();
  }

  clear() {
    this.current.clear();
  }

  takeExchanges() {
    return this.flying.splice(0);
  }

  /**
   * A view with the cards that are glimpsed, as far as they still lie there.
   * @param {View} view
   * @returns {View}
   */
  over(view) {
    if (!this.current.size) return view;
    const laid = (/** @type {Stack} */ stack, /** @type {string} */ place) => {
      const glimpse = this.current.get(place);
      return glimpse && stack.count ? { ...stack, card: stack.card ?? glimpse.card, gesture: glimpse.gesture } : stack;
    };
    const zoneWith = (/** @type {Zone} */ zone, /** @type {number} */ seat) => ({
      ...zone,
      stacks: zone.stacks.map((stack, k) => laid(stack, `${seat}.${zone.key}.${k}`)),
    });
    const places = view.table.places.map((place) => ({
      ...place,
      zones: place.zones.map((zone) => zoneWith(zone, place.seat)),
    }));
    return { ...view, table: { ...view.table, places } };
  }
}

/**
 * Two cards that changed places, unseen: no view tells of it.
 * @param {Gesture[]} gestures
 * @returns {Flight[]}
 */
export const exchanges = (gestures) =>
  gestures
    .filter(({ does, at }) => does === "move" && at.length === 2)
    .flatMap(({ at: [a, b] }) => [
      { from: a, to: b, kind: "?" },
      { from: b, to: a, kind: "?" },
    ]);

/**
 * Whether some cards lie face down; if not, the table shows more than a glimpse.
 * @param {Table} table
 */
const hidesSome = ({ places }) =>
  places.some(({ zones }) => zones.some(({ stacks }) => stacks.some(({ card, count }) => count && !card)));

/** @param {Gesture[]} gestures */
const placesOf = (gestures) => gestures.flatMap(({ does, at }) => (does === "move" ? [] : at));

/**
 * @param {Table} table
 * @param {string} place such as "2.row.3"
 */
function stackAt({ places }, place) {
  const [seat, key, k] = place.split(".");
  return places[Number(seat)]?.zones.find((zone) => zone.key === key)?.stacks[Number(k)];
}
