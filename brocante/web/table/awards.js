/** The final scoring: who has won with how many points, how they came about step by step, and what to do next. */

import { nonce } from "../base/api.js";
import { sign } from "../base/art.js";
import { labelledButton } from "../base/buttons.js";
import { h } from "../base/dom.js";
import { pressed } from "../base/progress.js";
import { pace } from "../base/settings.js";
import { shareLink } from "../base/share_link.js";
import { figure, listed, say } from "../base/words.js";
import { playerMark, whyItEnded } from "./players.js";

/** @import { Child } from "../base/dom.js" */
/** @import { Award, Result, View } from "../base/wire.js" */
/** @import { LiveTable } from "../pages/live_table.js" */

/** How many awards of a result are shown to those who go through them one after the other. @type {Map<string, number>} */
const told = new Map();

/** @param {LiveTable} table */
export function finalScoring(table) {
  const { info, view, you } = table;
  const names = info.seats.map((seat) => seat.name);
  return sheet(
    info.closed ? say("scoring.closed") : winnersInWords(info.winners, names, you.seat),
    whyItEnded(info),
    [view ? awardsTable(view, names, info.again) : h("p", null, say("scoring.earlier")), toKeep(table)],
    whatNext(table),
  );
}

/**
 * The scoring at the end of a replay.
 * @param {View} view
 * @param {string[]} names
 */
export const scoringOfReplay = (view, names) =>
  view.result && sheet(winnersInWords(view.result.winners, names, null), "", [awardsTable(view, names)], null);

/**
 * A sheet over the table, which can be folded away.
 * @param {string} title
 * @param {string} why
 * @param {Child[]} content
 * @param {HTMLElement | null} foot
 */
const sheet = (title, why, content, foot) =>
  h(
    "details#scoring.paper",
    { open: true, "aria-label": say("scoring.label") },
    h("summary", null, h("h2", null, title), h("span.why-over", null, why)),
    h(
      "div.scoring-body",
      null,
      h(
        "div.scoring-scroll",
        { "data-key": "points", tabindex: "0", role: "region", "aria-label": say("scoring.label") },
        content,
      ),
      foot,
    ),
  );

/**
 * @param {number[]} winners
 * @param {string[]} names
 * @param {number | null} you
 */
function winnersInWords(winners, names, you) {
  if (!winners.length) return say("scoring.nobody");
  if (you !== null && winners.includes(you)) return winners.length === 1 ? say("scoring.you") : say("scoring.you_too");
  return say("scoring.won", { who: listed(winners.map((seat) => names[seat])), n: winners.length });
}

/**
 * Where the replay of the last game is.
 * @param {LiveTable} table
 */
const replayOf = ({ id, info }) => `/tables/${id}/games/${info.games}`;

/**
 * What stays in sight, whatever there is to read above.
 * @param {LiveTable} table
 */
function whatNext(table) {
  const { info, you, view } = table;
  const again = info.again.map((seat) => info.seats[seat].name);
  const wantsAgain = you.seat !== null && info.again.includes(you.seat);
  return h(
    "div.what-next",
    { "data-key": "onwards" },
    again.length > 0 && h("p", { role: "status" }, say("scoring.want_again", { who: listed(again), n: again.length })),
    h(
      "div.row",
      null,
      you.seat !== null &&
        !wantsAgain &&
        labelledButton(
          "again",
          say("scoring.again"),
          pressed(() => table.command("again", { nonce: nonce() })),
          { class: "lead", "data-do": "again" },
        ),
      view &&
        info.games > 0 &&
        h("a.button", { href: replayOf(table), "data-key": "replay" }, sign("eye"), say("scoring.replay")),
      h("a.button.homewards", { href: "/", "data-key": "home" }, sign("home"), say("nav.home")),
    ),
  );
}

/**
 * What can be taken along: the link to the replay, the record.
 * @param {LiveTable} table
 */
const toKeep = (table) =>
  table.info.games > 0 &&
  h(
    "div.to-keep",
    { "data-key": "keep" },
    table.view && shareLink(location.origin + replayOf(table), say("scoring.share")),
    h(
      "a.button.quiet",
      { href: `/api/tables/${table.id}/record`, download: `${table.info.game}.jsonl` },
      sign("download"),
      say("scoring.record"),
    ),
  );

/**
 * A column for each player, the first one first, with the total above; below, a line for each award. Where it is narrow,
 * the style turns columns into rows.
 * @param {View} view
 * @param {string[]} names
 * @param {number[]} [again] who would play another game
 */
function awardsTable(view, names, again = []) {
  const { result, awards } = view;
  if (!result) return null;
  const seats = result.ranks.map((_, seat) => seat).sort((a, b) => result.ranks[a] - result.ranks[b]);
  const key = JSON.stringify(result);
  const shown = told.get(key) ?? awards.length;
  return h(
    "table.points",
    null,
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        h("td", null, awards.length > 1 && walk(key, awards.length)),
        seats.map((seat) => total(view, result, seat, names[seat], again.includes(seat))),
      ),
    ),
    h(
      "tbody",
      null,
      awards.map((award, n) =>
        h(
          "tr.step",
          { hidden: n >= shown, style: { "animation-delay": told.has(key) ? "0s" : `${n * pace()}ms` } },
          h(
            "th",
            { scope: "row" },
            award.mark && h("span", { class: `ink-${award.mark.ink}`, "aria-hidden": "true" }, `${award.mark.sign} `),
            award.title,
            h("small", null, award.why),
          ),
          seats.map((seat) => share(view, award, seat, names[seat])),
        ),
      ),
    ),
  );
}

/**
 * @param {View} view
 * @param {Result} result
 * @param {number} seat
 * @param {string} name
 * @param {boolean} again
 */
function total(view, result, seat, name, again) {
  const won = result.winners.includes(seat);
  const state = (/** @type {string} */ picture, /** @type {string} */ words) =>
    h("span.state", { role: "img", "aria-label": words, "data-tip": words }, sign(picture));
  return h(
    "th",
    { scope: "col", abbr: name, class: won ? "won" : "" },
    h("span.who-scored", null, playerMark(view, seat), " ", h("span.player-name", null, name)),
    won && state("crown", say("player.winner")),
    again && state("again", say("scoring.wants_again")),
    h("b.total", null, figure(result.scores[seat])),
  );
}

/**
 * What an award brings a player. Their name is shown where columns have become rows.
 * @param {View} view
 * @param {Award} award
 * @param {number} seat
 * @param {string} name
 */
function share(view, award, seat, name) {
  const points = award.points[seat];
  return h(
    "td",
    { class: points ? "" : "no-points" },
    h("span.who-scored", { "aria-hidden": "true" }, playerMark(view, seat), " ", name, " "),
    points > 0 ? `+${points}` : points ? figure(points) : "·",
  );
}

/**
 * Buttons to go through the awards one after the other, for those who like the suspense.
 * @param {string} key
 * @param {number} steps
 */
function walk(key, steps) {
  const next = h("button", { type: "button", "data-do": "next-award" });
  const all = h("button", { type: "button", "data-do": "all-awards" }, say("scoring.all"));
  const walked = h("div.row.walk", { "data-key": "walk" }, next, all);
  const tell = (/** @type {number} */ shown) => {
    told.set(key, shown);
    const rows = [...(walked.closest("table")?.querySelectorAll("tbody tr") ?? [])];
    rows.forEach((row, n) => row.toggleAttribute("hidden", n >= shown));
    rows[shown - 1]?.scrollIntoView({ block: "nearest" });
    label();
  };
  const label = () => {
    const shown = told.get(key) ?? steps;
    next.textContent = shown < steps ? say("scoring.next", { n: shown, all: steps }) : say("scoring.step_by_step");
    all.hidden = shown >= steps;
  };
  next.addEventListener("click", () => tell(((told.get(key) ?? steps) % steps) + 1));
  all.addEventListener("click", () => tell(steps));
  label();
  return walked;
}
