/** What flies where: every card has a slot of its own, and mostly nobody sees which card it is. */

/** @import { Stack, View } from "../../base/wire.js" */
/** @import { Flight } from "../../table/moved_pieces.js" */

const [DRAW, DRAWN, DISCARD] = ["centre.draw", "centre.drawn", "centre.discard"];
/** The places in the middle with a card that can be seen. */
const LYING = [DRAWN, DISCARD];

/**
 * @param {View} before
 * @param {View} after
 * @returns {Flight[]}
 */
export function flights(before, after) {
  const [had, has] = [lying(before), lying(after)];
  if (had.has(DISCARD) && !has.has(DISCARD)) return dealt(after);
  const seen = recognised(had, has);
  const [came, went] = [new Set(seen.map(({ to }) => to)), new Set(seen.map(({ from }) => from))];
  const fresh = [...has.keys()].filter((place) => !had.has(place) && !came.has(place) && place !== DISCARD);
  const gone = [...had.keys()].filter((place) => !has.has(place) && !went.has(place));
  return [
    ...seen,
    ...fresh.map((to) => ({ from: cameFrom(to, has), to, kind: has.get(to)?.kind ?? "?" })),
    ...gone.flatMap((from) => (from === DRAWN ? swapped(before, after, had) : [{ from, to: DISCARD, kind: "?" }])),
  ];
}

/**
 * Every place with the card there: each slot of the rows, the card that was turned up, the top of the pile.
 * @param {View} view
 */
function lying({ table }) {
  /** @type {Map<string, { name: string, kind: string }>} */
  const places = new Map();
  const lay = (/** @type {string} */ place, /** @type {Stack | undefined} */ stack) =>
    stack?.count && places.set(place, { name: stack.card?.name ?? "", kind: stack.card?.kind ?? "?" });
  for (const { key, stacks } of table.centre) if (LYING.includes(`centre.${key}`)) lay(`centre.${key}`, stacks[0]);
  for (const { seat, zones } of table.places) zones[0]?.stacks.forEach((stack, k) => lay(slotPlace(seat, k), stack));
  return places;
}

/**
 * @param {number} seat
 * @param {number} k
 */
export const slotPlace = (seat, k) => `${seat}.row.${k}`;

/**
 * A new card in a row was drawn unseen; one that the viewer sees was tossed in wrongly, and comes back.
 * @param {string} to
 * @param {ReturnType<typeof lying>} has
 */
const cameFrom = (to, has) => (has.get(to)?.name && to !== DRAWN ? DISCARD : DRAW);

/**
 * Cards that the viewer sees in another place than before.
 * @param {ReturnType<typeof lying>} had
 * @param {ReturnType<typeof lying>} has
 */
function recognised(had, has) {
  /** @type {Flight[]} */
  const flights = [];
  const was = new Map([...had].map(([place, { name }]) => [name, place]));
  for (const [to, { name, kind }] of has) {
    const from = was.get(name);
    if (name && from && had.get(to)?.name !== name && from !== DISCARD) flights.push({ from, to, kind });
  }
  return flights;
}

/**
 * The card that was turned up was swapped for one of a row: the chosen one, if the viewer saw it chosen.
 * @param {View} before
 * @param {View} after
 * @param {ReturnType<typeof lying>} had
 */
function swapped(before, after, had) {
  const row = before.table.places[before.actor]?.zones[0]?.stacks ?? [];
  const chosen = row.findIndex((stack) => stack.chosen);
  const slot = chosen < 0 ? `${before.actor}.row` : slotPlace(before.actor, chosen);
  const out = after.table.centre.find((zone) => zone.key === "discard")?.stacks[0]?.card?.kind ?? "?";
  return [
    { from: slot, to: DISCARD, kind: out },
    { from: DRAWN, to: slot, kind: had.get(DRAWN)?.kind ?? "?" },
  ];
}

/**
 * A new round: everyone is dealt a row.
 * @param {View} after
 */
const dealt = (after) => after.table.places.map(({ seat }) => ({ from: DRAW, to: `${seat}.row`, kind: "?" }));
