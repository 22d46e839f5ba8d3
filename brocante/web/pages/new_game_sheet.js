/** The sheet in which a new game is chosen: how many play, against whom, by which options. */

import { sign } from "../base/art.js";
import { openDialog } from "../base/dialogs.js";
import { become, h } from "../base/dom.js";
import { choose, settings } from "../base/settings.js";
import { say } from "../base/words.js";
import { fadingField, optionFields } from "../table/lobby_options.js";
import { botInWords } from "../table/players.js";
import { likingOf } from "./new_game.js";

/** @import { GameInfo } from "../base/wire.js" */
/** @import { Liking } from "./new_game.js" */

const PACES = ["instant", "quick", "people"];

/**
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
