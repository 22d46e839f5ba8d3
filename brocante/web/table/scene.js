/** What a game's drawing is given: the view, the seats and their clocks, and who looks at it. */

/** @import { Moment, Move, Now, TableInfo, View, Zone } from "../base/wire.js" */

/**
 * @typedef {object} Scene
 * @property {View} view
 * @property {TableInfo} info
 * @property {Now} now
 * @property {number} me the seat from which one looks; NOBODY (−2) for those who watch
 */

/**
 * @param {View} view
 * @param {TableInfo} info
 * @param {Now} now
 * @returns {Scene}
 */
export const sceneOf = (view, info, now) => ({ view, info, now, me: view.viewer });

/**
 * The scene where there is no live table: in a replay, in a lesson.
 * @param {View} view
 * @param {string[]} names
 * @param {number[]} asked
 * @returns {Scene}
 */
export function sceneWithNames(view, names, asked) {
  const seats = names.map((name) => ({ kind: "person", name, bot: "", away: false, resigned: false, nonce: "" }));
  return sceneOf(view, /** @type {any} */ ({ phase: "playing", seats, clock: {}, paused: false }), { asked });
}

/**
 * A view while something is seen that lasts for a moment only.
 * @param {View} view
 * @param {Moment | undefined} moment
 * @returns {View}
 */
export const during = (view, moment) =>
  moment ? { ...view, table: moment.table, prompt: moment.text, offers: [] } : view;

/**
 * The same view while nothing can be done: nothing glows, nothing is explained.
 * @param {View} view
 * @returns {View}
 */
export function atRest(view) {
  const still = (/** @type {Zone} */ zone) => ({
    ...zone,
    moves: [],
    why: null,
    stacks: zone.stacks.map((stack) => ({ ...stack, moves: [], why: null })),
  });
  const { centre, board, places } = view.table;
  const zones = { centre: centre.map(still), board: board.map(still) };
  const laid = places.map((place) => ({ ...place, zones: place.zones.map(still) }));
  return { ...view, offers: [], table: { ...view.table, ...zones, places: laid } };
}

/** @param {Move} move */
export const spelled = (move) => JSON.stringify(move);

/**
 * The offers of moves, as buttons would call them.
 * @param {Scene} scene
 * @param {Move[]} moves
 */
export function labels({ view }, moves) {
  const wanted = new Set(moves.map(spelled));
  return view.offers.filter((offer) => wanted.has(spelled(offer.move))).map((offer) => offer.label);
}

/**
 * The seats in turn order as one sits at the table: the one after you first, you last. Those who watch see all from the
 * first seat on.
 * @param {Scene} scene
 */
export function others({ view, me }) {
  const seats = view.table.places.map(({ seat }) => seat);
  return me < 0 ? seats : [...seats.slice(me + 1), ...seats.slice(0, me)];
}

/**
 * @param {Scene} scene
 * @param {number} seat
 * @param {string} key
 */
export const zoneOf = (scene, seat, key) => scene.view.table.places[seat]?.zones.find((zone) => zone.key === key);

/**
 * @param {Scene} scene
 * @param {string} key
 */
export const centreZone = (scene, key) => scene.view.table.centre.find((zone) => zone.key === key);

/**
 * @param {Scene} scene
 * @param {string} key
 */
export const boardZone = (scene, key) => scene.view.table.board.find((zone) => zone.key === key);
