/** The view that follows from the one before it and from what has changed of that (docs/api.md). */

/** @import { Changes, Stack, Table, View, Zone } from "./wire.js" */

/**
 * What a table looked like stays as it was: what has moved is found by comparing two views.
 * @param {View | null} view
 * @param {Changes} changes
 * @returns {View | null}
 */
export function changed(view, { parts = {}, lists = {}, touch = {}, why = {} }) {
  /** @type {any} */
  let found = view;
  for (const [path, part] of Object.entries(parts)) found = replaced(found, path ? path.split(".") : [], () => part);
  for (const [path, list] of Object.entries(lists)) {
    found = replaced(found, path.split("."), (before) => list.map((it) => (typeof it === "number" ? before[it] : it)));
  }
  if (!found) return null;
  const reasons = Object.fromEntries(
    Object.entries(why).flatMap(([words, paths]) => paths.map((path) => [path, words])),
  );
  /** @type {Touched} */
  const touched = (thing, path) => ({
    ...thing,
    moves: (touch[path] ?? []).map((n) => found.offers[n].move),
    why: reasons[path] ?? null,
  });
  return { ...found, table: tableTouched(found.table, touched) };
}

/** @typedef {<T extends Stack | Zone>(thing: T, path: string) => T} Touched */

/**
 * The same with another part at a path.
 * @param {any} whole
 * @param {string[]} path
 * @param {(before: any) => any} change
 * @returns {any}
 */
function replaced(whole, [step, ...path], change) {
  if (step === undefined) return change(whole);
  const copy = Array.isArray(whole) ? [...whole] : { ...whole };
  copy[step] = replaced(whole[step], path, change);
  return copy;
}

/**
 * A table with what may be touched now, and nothing else.
 * @param {Table} table
 * @param {Touched} touched
 * @returns {Table}
 */
function tableTouched(table, touched) {
  const zones = (/** @type {Zone[]} */ some, /** @type {string} */ path) =>
    some.map((zone, number) => {
      const stacks = zone.stacks.map((stack, at) => touched(stack, `${path}.${number}.stacks.${at}`));
      return { ...touched(zone, `${path}.${number}`), stacks };
    });
  const places = table.places.map((place, n) => ({ ...place, zones: zones(place.zones, `places.${n}.zones`) }));
  return { ...table, centre: zones(table.centre, "centre"), places, board: zones(table.board, "board") };
}
