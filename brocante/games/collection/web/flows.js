/** What moves: cards, as anywhere; but point cards lie in two piles, upright and sideways. */

import { flowsBetween } from "../../moving.js";

/** @typedef {import("../../types.js").Table} Table */
/** @typedef {import("../../types.js").View} View */

/** How point cards lie, and the names of the piles. */
export const WAYS = ["upright", "sideways"];
const SIDEWAYS = "▬"; // with it begins the sign of a card that lies sideways

/** @param {import("../../types.js").Stack} stack */
export const wayOf = ({ card }) => (card?.sign.startsWith(SIDEWAYS) ? "sideways" : "upright");

/**
 * @param {View} before
 * @param {View} after
 */
export const flows = (before, after) => flowsBetween(apart(before.table), apart(after.table));

/**
 * The same table with two piles of point cards for each player.
 * @param {Table} table
 * @returns {Table}
 */
function apart(table) {
  const piles = (/** @type {import("../../types.js").Zone} */ zone) =>
    WAYS.map((way) => ({ ...zone, key: way, stacks: zone.stacks.filter((stack) => wayOf(stack) === way) }));
  const places = table.places.map((place) => ({
    ...place,
    zones: place.zones.flatMap((zone) => (zone.key === "points" ? piles(zone) : [zone])),
  }));
  return { ...table, places };
}
