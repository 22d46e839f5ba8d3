/** A new game: how many play, against whom, by which options. What was chosen last is chosen again. */

import { beGuest, nonce, post } from "../base/api.js";
import { sign } from "../base/art.js";
import { openDialog } from "../base/dialogs.js";
import { become, h } from "../base/dom.js";
import { busy, cancelAll } from "../base/progress.js";
import { go } from "../base/router.js";
import { choose, settings } from "../base/settings.js";
import { say } from "../base/words.js";
import { fadingField, optionFields } from "../table/lobby_options.js";

/** @import { GameInfo } from "../base/wire.js" */

/**
 * What somebody likes to play with. Whatever is left out is as the game has it.
 * @typedef {object} Liking
 * @property {Record<string, any>} [options]
 * @property {string} [bot]
 * @property {boolean} [fading] whether the log forgets
 */

const PACES = ["instant", "quick", "people"];

/** @param {GameInfo} game @returns {Liking} */
const likingOf = ({ slug }) => settings.likings[slug] ?? {};

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
  await beGuest(name, stop);
  const { options = {}, fading = true } = likingOf(game);
  const { id } = await post("/api/tables", { game: game.slug, private: true, options, fading }, stop);
  await post(`/api/tables/${id}/join`, { name, nonce: nonce() }, stop);
  return id;
}

/**
 * Open the sheet in which all of it is chosen.
 * @param {GameInfo} game
 * @param {(event: Event) => void} play
 */
export function openChoices(game, play) {
  const sheet = h("div.options");
  const like = (/** @type {Liking} */ liked) => {
    choose({ likings: { ...settings.likings, [game.slug]: { ...likingOf(game), ...liked } } });
    become(sheet, fields(game, like)); // an option may stand instead of another
  };
  become(sheet, fields(game, like));
  const lead = { type: "button", "data-do": "play", autofocus: true, onclick: play };
  openDialog(game.title, sheet, h("p.row", null, h("button.lead.big", lead, sign("play"), say("home.play"))));
}

/**
 * @param {GameInfo} game
 * @param {(liked: Liking) => void} like
 */
function fields(game, like) {
  const { options: chosen = {}, bot, fading = true } = likingOf(game);
  const optionsOf = (/** @type {(name: string) => boolean} */ wanted) =>
    optionFields({ ...game, options: game.options.filter(({ name }) => wanted(name)) }, chosen, true, (options) =>
      like({ options: { ...chosen, ...options } }),
    );
  const bots = [...game.bots].reverse(); // the best one first
  const forgetting = fadingField(game, fading, true, (fading) => like({ fading }));
  const others = [...optionsOf((name) => name !== "players"), ...(forgetting ? [forgetting] : [])];
  return h(
    "div.options",
    null,
    optionsOf((name) => name === "players"),
    bots.length > 1 && selection(say("home.opponents"), bots, bot ?? bots[0], botInWords, (bot) => like({ bot })),
    selection(
      say("settings.bots"),
      PACES,
      settings.bots,
      (pace) => say(`settings.bots_${pace}`),
      (bots) => choose({ bots: /** @type {any} */ (bots) }),
    ),
    others.length > 0 && h("details", null, h("summary", null, say("home.options")), h("div.options", null, others)),
  );
}

/** @param {string} bot */
const botInWords = (bot) => (["random", "greedy"].includes(bot) ? say(`home.bot_${bot}`) : bot);

/**
 * @param {string} title
 * @param {string[]} values
 * @param {string} chosen
 * @param {(value: string) => string} inWords
 * @param {(value: string) => void} choose
 */
const selection = (title, values, chosen, inWords, choose) =>
  h(
    "label.option",
    null,
    h("span", null, title),
    h(
      "select",
      { onchange: (/** @type {any} */ event) => choose(event.target.value) },
      values.map((value) => h("option", { value, selected: value === chosen }, inWords(value))),
    ),
  );
