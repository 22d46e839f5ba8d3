/** Which card flies from where to where, derived from two views alone. Nothing here touches the page. */

/** @import { Table } from "../base/wire.js" */

/** The most pieces that fly at once. */
export const MOST = 14;

/**
 * A piece that goes from one pile to another.
 * @typedef {{ from: string, to: string, kind: string }} Flight
 */

/**
 * What went where between two tables: a pile has fewer of a kind, and another has more.
 * @param {Table} before
 * @param {Table} after
 * @returns {Flight[]}
 */
export function flightsBetween(before, after) {
  /** @type {{ pile: string, kind: string }[]} */
  const sources = [];
  /** @type {{ pile: string, kind: string }[]} */
  const sinks = [];
  const [had, has] = [counted(before), counted(after)];
  for (const key of new Set([...had.keys(), ...has.keys()])) {
    const [pile, kind] = key.split("|");
    const more = (has.get(key) ?? 0) - (had.get(key) ?? 0);
    for (let n = 0; n < Math.min(Math.abs(more), MOST); n++) (more > 0 ? sinks : sources).push({ pile, kind });
  }
  return paired(sources, sinks);
}

/**
 * How many of each kind lie in each pile.
 * @param {Table} table
 */
function counted(table) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  const add = (/** @type {string} */ pile, /** @type {string} */ kind, /** @type {number} */ n) =>
    n && counts.set(`${pile}|${kind}`, (counts.get(`${pile}|${kind}`) ?? 0) + n);
  const zones = [
    ...table.centre.map((zone) => ({ where: `centre.${zone.key}`, zone })),
    ...table.places.flatMap((place) => place.zones.map((zone) => ({ where: `${place.seat}.${zone.key}`, zone }))),
  ];
  for (const { where, zone } of zones) {
    for (const { card, count } of zone.stacks) {
      if (zone.layout === "row" && card && count > 1) {
        add(where, card.kind, 1); // of a face-up pile only the top card is seen
        add(where, "?", count - 1);
      } else add(where, card?.kind ?? "?", count);
    }
  }
  return counts;
}

/**
 * @param {{ pile: string, kind: string }[]} sources
 * @param {{ pile: string, kind: string }[]} sinks
 */
function paired(sources, sinks) {
  /** @type {Flight[]} */
  const flights = [];
  const match = (/** @type {(source: Flight["kind"], sink: Flight["kind"]) => boolean} */ fits) => {
    for (const sink of [...sinks]) {
      const source = sources.find((candidate) => fits(candidate.kind, sink.kind));
      if (!source) continue;
      sources.splice(sources.indexOf(source), 1);
      sinks.splice(sinks.indexOf(sink), 1);
      if (source.pile !== sink.pile)
        flights.push({ from: source.pile, to: sink.pile, kind: sink.kind === "?" ? source.kind : sink.kind });
    }
  };
  match((source, sink) => source === sink);
  match((source, sink) => source === "?" || sink === "?");
  return flights;
}
