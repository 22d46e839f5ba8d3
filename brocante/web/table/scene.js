/** A scene is what a drawing is given: the view, the seats and their clocks, and who is looking. */

/** @import { Moment, Move, Now, TableInfo, View, Zone } from "../base/wire.js" */

/**
 * @typedef {object} Scene
 * @property {View} view
 * @property {TableInfo} info
 * @property {Now} now
 * @property {number} me the viewer's seat; NOBODY (−2) for spectators
 */

/**
 * @param {View} view
 * @param {TableInfo} info
 * @param {Now} now
 * @returns {Scene}
 */
export const sceneOf = (view, info, now) => ({ view, info, now, me: view.viewer });

/**
 * A scene without a live table: in a replay or a lesson.
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
 * A view in which a moment is shown instead of the table.
 * @param {View} view
 * @param {Moment | undefined} moment
 * @returns {View}
 */
export const during = (view, moment) =>
  moment ? { ...view, table: moment.table, prompt: moment.text, offers: [] } : view;

/**
 * A view in which nothing can be done.
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
 * The labels of moves that are offered.
 * @param {Scene} scene
 * @param {Move[]} moves
 */
export function labels({ view }, moves) {
  const wanted = new Set(moves.map(spelled));
  return view.offers.filter((offer) => wanted.has(spelled(offer.move))).map((offer) => offer.label);
}

/**
 * The other seats in turn order, from the one after the viewer's. For spectators, all seats.
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
