/** A new game, with as many players, the opponents and the options that were chosen last. */

import { beGuest, nonce, post } from "../base/api.js";
import { busy, cancelAll } from "../base/progress.js";
import { go } from "../base/router.js";
import { choose, settings } from "../base/settings.js";
import { drawingOf } from "../table/stage.js";

/** @import { GameInfo } from "../base/wire.js" */

/**
 * What somebody likes to play with. Whatever is left out is as the game has it.
 * @typedef {object} Liking
 * @property {Record<string, any>} [options]
 * @property {string} [bot]
 * @property {boolean} [fading] whether the log forgets
 */

/** @param {GameInfo} game @returns {Liking} */
export const likingOf = ({ slug }) => settings.likings[slug] ?? {};

/**
 * How many play if nobody chooses anew.
 * @param {GameInfo} game
 */
export const playersOf = (game) =>
  likingOf(game).options?.players ?? game.options.find(({ name }) => name === "players")?.default ?? game.players[0];

/**
 * Whether somebody has learned or played a game in this browser.
 * @param {GameInfo} game
 */
export const isKnown = ({ slug }) => settings.known.includes(slug);

/** @param {string} slug */
export const getToKnow = (slug) => choose({ known: [...new Set([...settings.known, slug])] });

/**
 * A listener for a button that leads to a table. Only the last button pressed counts.
 * @param {(stop: AbortSignal) => Promise<string>} find
 */
export const leadsTo = (find) => (/** @type {Event} */ event) => {
  const button = /** @type {Element} */ (event.currentTarget);
  cancelAll(button);
  busy(button, async (stop) => void go(`/tables/${await find(stop)}`));
};

/**
 * Open a table against bots and start the game.
 * @param {GameInfo} game
 * @param {string} name of the player
 * @param {AbortSignal} stop
 */
export async function startedTable(game, name, stop) {
  const { bot } = likingOf(game);
  const id = await openedTable(game, name, stop);
  const command = (/** @type {Record<string, any>} */ body) => post(`/api/tables/${id}/do`, body, stop);
  for (let others = playersOf(game) - 1; bot && others; others--) await command({ do: "bot", bot });
  await command({ do: "start", fill: true });
  getToKnow(game.slug);
  return id;
}

/**
 * Open a private table and sit down.
 * @param {GameInfo} game
 * @param {string} name of the player
 * @param {AbortSignal} stop
 */
export async function openedTable(game, name, stop) {
  choose({ name });
  drawingOf(game.slug).catch(() => {}); // so that it is there when the table is
  await beGuest(name, stop);
  const { options = {}, fading = true } = likingOf(game);
  const { id } = await post("/api/tables", { game: game.slug, private: true, options, fading }, stop);
  await post(`/api/tables/${id}/join`, { name, nonce: nonce() }, stop);
  return id;
}
