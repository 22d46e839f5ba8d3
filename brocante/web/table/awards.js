/** The final scoring: who has won, award by award, and what to do next. */

import { nonce } from "../base/api.js";
import { sign } from "../base/art.js";
import { labelledButton } from "../base/buttons.js";
import { h } from "../base/dom.js";
import { pressed } from "../base/progress.js";
import { pace } from "../base/settings.js";
import { shareLink } from "../base/share_link.js";
import { listed, say } from "../base/words.js";
import { playerMark } from "./players.js";

/** @import { View } from "../base/wire.js" */
/** @import { LiveTable } from "../pages/live_table.js" */

/** @param {LiveTable} table */
export function finalScoring(table) {
  const { info, you, view } = table;
  const replay = `/tables/${table.id}/games/${info.games}`;
  const again = info.again.map((seat) => info.seats[seat].name);
  const wantsAgain = you.seat !== null && info.again.includes(you.seat);
  return h(
    "details#scoring.paper",
    { open: true, "aria-label": say("scoring.label") },
    h("summary", null, h("h2", null, info.closed ? say("scoring.closed") : winnersInWords(table))),
    !view && h("p", { "data-key": "earlier" }, say("scoring.earlier")),
    view &&
      awardsTable(
        view,
        info.seats.map((seat) => seat.name),
      ),
    h(
      "div.row",
      { "data-key": "onwards" },
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
        h("a.button", { href: replay, "data-key": "replay" }, sign("eye"), say("scoring.replay")),
      info.games > 0 &&
        h(
          "a.button",
          { href: `/api/tables/${table.id}/record`, download: `${info.game}.jsonl` },
          sign("download"),
          say("scoring.record"),
        ),
      h("a.button", { href: "/" }, sign("home"), say("nav.home")),
    ),
    view && info.games > 0 && shareLink(location.origin + replay, say("scoring.share")),
    again.length > 0 && h("p", { role: "status" }, say("scoring.want_again", { who: listed(again), n: again.length })),
  );
}

/** @param {LiveTable} table */
function winnersInWords({ info, you }) {
  const names = info.winners.map((seat) => info.seats[seat]?.name ?? "");
  if (!names.length) return say("scoring.nobody");
  if (you.seat !== null && info.winners.includes(you.seat))
    return names.length === 1 ? say("scoring.you") : say("scoring.you_too");
  return say("scoring.won", { who: listed(names), n: names.length });
}

/**
 * A column for each player and a line for each award; the lines appear one after the other.
 * @param {View} view
 * @param {string[]} names
 */
export function awardsTable(view, names) {
  const { result, awards } = view;
  if (!result) return null;
  const seats = result.scores.map((_, seat) => seat);
  const pause = pace();
  return h(
    "div.scroll-x",
    { tabindex: "0", role: "region", "aria-label": say("scoring.label") },
    h(
      "table.points",
      null,
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("td"),
          seats.map((seat) =>
            h(
              "th",
              { scope: "col", class: result.winners.includes(seat) ? "won" : "" },
              playerMark(view, seat),
              " ",
              names[seat],
              result.winners.includes(seat) && sign("crown"),
            ),
          ),
        ),
      ),
      h(
        "tbody",
        null,
        awards.map((award, n) =>
          h(
            "tr.step",
            { style: { "animation-delay": `${n * pause}ms` } },
            h(
              "th",
              { scope: "row" },
              award.mark && h("span", { class: `ink-${award.mark.ink}`, "aria-hidden": "true" }, `${award.mark.sign} `),
              award.title,
              h("small", null, award.why),
            ),
            award.points.map((points) => h("td", null, points ? (points > 0 ? `+${points}` : `−${-points}`) : "·")),
          ),
        ),
      ),
      h(
        "tfoot",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "row" }, say("scoring.total")),
          result.scores.map((score, seat) =>
            h("td", { class: result.winners.includes(seat) ? "won" : "" }, String(score).replace("-", "−")),
          ),
        ),
      ),
    ),
  );
}
