/** What flies where: cards, as in any game; but point cards lie in two piles, upright and sideways. */

import { flightsBetween } from "../../table/moved_pieces.js";

/** @import { Stack, Table, View, Zone } from "../../base/wire.js" */

/** How point cards lie, and the names of the piles. */
export const WAYS = ["upright", "sideways"];
const SIDEWAYS = "▬"; // the sign of a card that lies sideways begins with it

/** @param {Stack} stack */
export const wayOf = ({ card }) => (card?.sign.startsWith(SIDEWAYS) ? "sideways" : "upright");

/**
 * @param {View} before
 * @param {View} after
 */
export const flights = (before, after) => flightsBetween(apart(before.table), apart(after.table));

/**
 * The same table with two piles of point cards for each player.
 * @param {Table} table
 * @returns {Table}
 */
function apart(table) {
  const piles = (/** @type {Zone} */ zone) =>
    WAYS.map((way) => ({ ...zone, key: way, stacks: zone.stacks.filter((stack) => wayOf(stack) === way) }));
  const places = table.places.map((place) => ({
    ...place,
    zones: place.zones.flatMap((zone) => (zone.key === "points" ? piles(zone) : [zone])),
  }));
  return { ...table, places };
}
