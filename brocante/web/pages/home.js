/** The home page: the games as boxes on a flea-market table, the player's tables, open tables. */

import { announce } from "../base/announcement.js";
import { get, listGames, me } from "../base/api.js";
import { drawing, sign } from "../base/art.js";
import { h } from "../base/dom.js";
import { essentials } from "../base/essentials.js";
import { settings } from "../base/settings.js";
import { suggestedName } from "../base/suggested_name.js";
import { pressed } from "../base/progress.js";
import { topBar } from "../base/top_bar.js";
import { listed, say } from "../base/words.js";
import { isKnown, leadsTo, openedTable, playersOf, startedTable } from "./new_game.js";

/** @import { Page } from "../base/router.js" */
/** @import { GameInfo, Listed, Own } from "../base/wire.js" */

/** Milliseconds between two updates of the lists of tables. */
const UPDATE_EVERY = 5000;
/** Enough for the widest screen. */
const AWNINGS = 24;

/** @type {Page} */
export async function open(root, left) {
  const [games, guest] = await Promise.all([listGames(), me(left), essentials]);
  left.throwIfAborted();
  document.title = "Brocante";
  const name = /** @type {HTMLInputElement} */ (
    h("input#name", {
      type: "text",
      maxlength: "24",
      value: settings.name || guest?.name || suggestedName(),
      autocomplete: "nickname",
    })
  );
  const due = h("ul#due.tables", { "aria-label": say("home.your_turn") });
  const [own, others] = [h("section#own"), h("section#open")];
  const player = () => name.value.trim() || suggestedName();
  root.replaceChildren(
    topBar(h("span.wordmark", null, "Brocante")),
    h(
      "main.market",
      null,
      h(
        "div.awning",
        { "aria-hidden": "true" },
        Array.from({ length: AWNINGS }, () => drawing("page", "stall")),
      ),
      h(
        "div.greeting",
        null,
        h("div", null, h("h1", null, say("home.title")), h("p", null, say("home.lead"))),
        h("p.row.who", null, h("label", { for: "name" }, say("home.your_name")), name),
      ),
      due,
      h(
        "div.boxes",
        null,
        games.map((game) => box(game, player)),
      ),
      h("div.tables-here", null, own, others),
      h("footer", null, h("p.small", null, say("home.independent"))),
    ),
  );
  get("/api/server", left).then(
    ({ announcement }) => announce(announcement),
    () => {}, // whatever is wrong, the lists will say
  );
  const update = () => (document.hidden ? undefined : showTables(games, due, own, others));
  update();
  const updating = setInterval(update, UPDATE_EVERY);
  left.addEventListener("abort", () => clearInterval(updating));
}

/**
 * A game as a box: its lid, what it is, and the ways into it. Whoever does not know a game is led to its lesson.
 * @param {GameInfo} game
 * @param {() => string} player
 */
function box(game, player) {
  const [least, most] = [game.players[0], game.players[game.players.length - 1]];
  const facts = [
    say("home.players", { least, most }),
    say("home.minutes", { n: game.minutes }),
    listed(game.authors),
    game.publisher,
  ];
  const known = isKnown(game);
  const lesson = `/learn/${game.slug}`;
  return h(
    "article.box",
    { "data-game": game.slug, "aria-labelledby": `title-${game.slug}` },
    h("div.lid", { "aria-hidden": "true" }, drawing("page", `box-${game.slug}`)),
    h(
      "div.box-text",
      null,
      h("h2", { id: `title-${game.slug}` }, game.title),
      h("p.small", null, facts.filter(Boolean).join(" · ")),
      h("p.blurb", null, game.blurb),
      !known && h("a.button.lead", { href: lesson }, sign("hint"), say("home.learn")),
      h("div.row", null, playButtons(game, player, known)),
      h(
        "div.row.ways",
        null,
        known && h("a", { href: lesson }, say("home.learn")),
        h(
          "button.as-link",
          { type: "button", "data-do": "friends", onclick: leadsTo((stop) => openedTable(game, player(), stop)) },
          say("home.friends"),
        ),
        h("a", { href: `/rules/${game.slug}` }, say("nav.rules")),
      ),
    ),
  );
}

/**
 * One that plays with what was chosen last, and one that says what this is and lets choose anew.
 * @param {GameInfo} game
 * @param {() => string} player
 * @param {boolean} known
 */
function playButtons(game, player, known) {
  const play = leadsTo((stop) => startedTable(game, player(), stop));
  const words = say("home.choose", { n: playersOf(game) });
  return [
    h(
      "button",
      { type: "button", class: known ? "lead" : "", "data-do": "play", onclick: play },
      sign("play"),
      say("home.play"),
    ),
    h(
      "button.quiet.choose",
      {
        type: "button",
        "data-do": "choose",
        "data-tip": say("home.choose_what"),
        onclick: pressed(async () => (await import("./new_game_sheet.js")).openChoices(game, play)),
      },
      sign("gear"),
      words,
    ),
  ];
}

/**
 * @param {GameInfo[]} games
 * @param {HTMLElement} due games that wait for the visitor's move, above all else
 * @param {HTMLElement} own
 * @param {HTMLElement} others
 */
async function showTables(games, due, own, others) {
  const titles = new Map(games.map((game) => [game.slug, game.title]));
  /** @type {[Own[], Listed[]]} */
  const [mine, open] = await Promise.all([
    settings.guest ? get("/api/me/tables").catch(() => []) : [],
    get("/api/tables?phase=open").catch(() => []),
  ]);
  const ids = new Set(mine.map((table) => table.id));
  const yourTurn = (/** @type {Own} */ table) => line(table, titles, say("home.your_turn"), "yours");
  renew(due, mine.filter((table) => table.your_turn).map(yourTurn));
  show(
    own,
    say("home.own"),
    mine.map((table) => (table.your_turn ? yourTurn(table) : line(table, titles, say(`home.${table.phase}`)))),
    h("p.empty", null, say("home.no_own")),
  );
  show(
    others,
    say("home.open_tables"),
    open.filter((table) => !ids.has(table.id)).map((table) => line(table, titles, say("home.join"))),
    h("div.empty", null, drawing("page", "free-chairs"), h("p", null, say("home.no_tables"))),
  );
}

/**
 * @param {HTMLElement} section
 * @param {string} title
 * @param {HTMLElement[]} lines
 * @param {HTMLElement} empty what is shown if there are none
 */
function show(section, title, lines, empty) {
  renew(section, [h("h2", null, title), lines.length ? h("ul.tables", null, lines) : empty]);
}

/**
 * Replace what has changed; what has not keeps the focus.
 * @param {HTMLElement} place
 * @param {HTMLElement[]} fresh
 */
function renew(place, fresh) {
  if (place.textContent !== fresh.map((part) => part.textContent).join("")) place.replaceChildren(...fresh);
}

/**
 * @param {Listed} table
 * @param {Map<string, string>} titles
 * @param {string} state
 * @param {string} [look]
 */
function line(table, titles, state, look = "") {
  const names = table.seats.map((seat) => seat.name).filter(Boolean);
  return h(
    "li",
    { "data-game": table.game, class: look },
    h(
      "a",
      { href: `/tables/${table.id}` },
      h("b", null, titles.get(table.game) ?? table.game),
      " ",
      h("span", null, names.length ? listed(names) : say("home.nobody")),
      " ",
      h("span.phase", null, state),
    ),
  );
}
