/** The view that follows from the one before it and from what has changed of that (docs/api.md). */

/** @import { Changes, Stack, View, Zone } from "./wire.js" */

/**
 * What a table looked like stays as it was: what has moved is found by comparing two views.
 * @param {View | null} view
 * @param {Changes} changes
 * @returns {View | null}
 */
export function changed(view, { parts = {}, lists = {}, touch = {}, why = {} }) {
  if ("" in parts) return parts[""];
  /** @type {any} */
  let found = view;
  for (const [path, part] of Object.entries(parts)) found = replaced(found, path.split("."), () => part);
  for (const [path, list] of Object.entries(lists)) {
    found = replaced(found, path.split("."), (before) => list.map((it) => (typeof it === "number" ? before[it] : it)));
  }
  const touched = (/** @type {Stack | Zone} */ thing, /** @type {string} */ path) => ({
    ...thing,
    moves: (touch[path] ?? []).map((n) => found.offers[n].move),
    why: Object.keys(why).find((words) => why[words]?.includes(path)) ?? null,
  });
  const zones = (/** @type {Zone[]} */ some, /** @type {string} */ path) =>
    some.map((zone, n) => {
      const stacks = zone.stacks.map((stack, at) => touched(stack, `${path}.${n}.stacks.${at}`));
      return { ...touched(zone, `${path}.${n}`), stacks };
    });
  const { table } = /** @type {View} */ (found);
  const places = table.places.map((place, n) => ({ ...place, zones: zones(place.zones, `places.${n}.zones`) }));
  const [centre, board] = [zones(table.centre, "centre"), zones(table.board, "board")];
  return { ...found, table: { ...table, centre, places, board } };
}

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
