/** What flies where: markers to the action table; barrels to the boat, the cellar, the warehouse; cards. */

import { whose } from "./actions.js";

/** @import { View } from "../../base/wire.js" */
/** @import { Flight } from "../../table/moved_pieces.js" */

/** The way of the wine: each stage gets barrels from the one before it, and the first from the supply. */
const WAY = ["estates", "boat", "cellar", "warehouse"];
const SUPPLY = "centre.supply";

/**
 * @param {View} before
 * @param {View} after
 * @returns {Flight[]}
 */
export function flights(before, after) {
  const seats = after.table.places.map(({ seat }) => seat);
  return [
    ...markers(before, after),
    ...seats.flatMap((seat) => [...barrels(before, after, seat), ...cards(before, after, seat)]),
  ];
}

/**
 * @param {View} before
 * @param {View} after
 * @returns {Flight[]}
 */
function markers(before, after) {
  const [had, has] = [placed(before), placed(after)];
  return [...has]
    .filter(([key, n]) => n > (had.get(key) ?? 0))
    .map(([key]) => {
      const [act, seat] = key.split("|");
      return { from: `${seat}.markers`, to: `marks.${act}`, kind: seat };
    });
}

/**
 * How many markers each player has on each action.
 * @param {View} view
 */
function placed(view) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { card } of view.table.board.find((zone) => zone.key === "actions")?.stacks ?? []) {
    for (const mark of card?.marks ?? []) {
      const key = `${card?.kind}|${whose(view, mark)}`;
      if (!key.endsWith("-1")) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}

/**
 * Every barrel that moves on; sold barrels go back to the supply.
 * @param {View} before
 * @param {View} after
 * @param {number} seat
 * @returns {Flight[]}
 */
function barrels(before, after, seat) {
  const [lost, got] = changes(stored(before, seat), stored(after, seat));
  const moved = WAY.flatMap((stage, n) =>
    got[stage].map((to) => ({ from: n ? lost[WAY[n - 1]].shift() : SUPPLY, to })),
  );
  const sold = [...lost.cellar, ...lost.warehouse].map((from) => ({ from, to: SUPPLY }));
  return [...moved, ...sold].flatMap(({ from, to }) => (from ? [{ from, to, kind: "barrel" }] : []));
}

/**
 * How many barrels a player has in each place.
 * @param {View} view
 * @param {number} seat
 */
function stored(view, seat) {
  /** @type {{ stage: string, pile: string, count: number }[]} */
  const found = [];
  for (const { key, stacks } of view.table.places[seat].zones) {
    const stage = WAY.find((name) => key.startsWith(name));
    if (stage)
      for (const { card, count } of stacks) found.push({ stage, pile: pileOf(seat, stage, card?.kind ?? ""), count });
  }
  return found;
}

/**
 * The pile of a place for barrels. An Estate's is on the map.
 * @param {number} seat
 * @param {string} stage
 * @param {string} kind
 */
export const pileOf = (seat, stage, kind) => (stage === "estates" ? `crop.${kind}` : `${seat}.${stage}.${kind}`);

/**
 * What each stage lost and got, as the pile of each barrel.
 * @param {ReturnType<typeof stored>} had
 * @param {ReturnType<typeof stored>} has
 */
function changes(had, has) {
  const [lost, got] = [byStage(), byStage()];
  const counts = new Map(had.map(({ pile, count }) => [pile, count]));
  for (const { stage, pile, count } of has) {
    const more = count - (counts.get(pile) ?? 0);
    (more > 0 ? got : lost)[stage].push(...Array(Math.abs(more)).fill(pile));
  }
  return [lost, got];
}

/** @returns {Record<string, string[]>} */
const byStage = () => Object.fromEntries(WAY.map((stage) => [stage, []]));

/**
 * @param {View} before
 * @param {View} after
 * @param {number} seat
 * @returns {Flight[]}
 */
function cards(before, after, seat) {
  const [had, has] = [held(before, seat), held(after, seat)];
  return [...new Set([...had.keys(), ...has.keys()])].flatMap((kind) => {
    const more = (has.get(kind) ?? 0) - (had.get(kind) ?? 0);
    const hand = `${seat}.hand`;
    const flight = more > 0 ? { from: "centre.deck", to: hand, kind } : { from: hand, to: "centre.used", kind };
    return Array(Math.abs(more)).fill(flight);
  });
}

/**
 * @param {View} view
 * @param {number} seat
 */
function held(view, seat) {
  const zone = view.table.places[seat].zones.find(({ key }) => key === "hand");
  return new Map(zone?.stacks.map(({ card, count }) => [card?.kind ?? "?", count]));
}
