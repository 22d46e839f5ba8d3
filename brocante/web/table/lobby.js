/** The lobby, before a game starts: who sits where, the link for friends, the options. */

import { sign } from "../base/art.js";
import { labelledButton } from "../base/buttons.js";
import { h } from "../base/dom.js";
import { busy, pressed } from "../base/progress.js";
import { settings } from "../base/settings.js";
import { shareLink } from "../base/share_link.js";
import { suggestedName } from "../base/suggested_name.js";
import { say } from "../base/words.js";
import { clockField, fadingField, optionFields } from "./lobby_options.js";
import { playerMark } from "./players.js";

/** @import { LiveTable } from "../pages/live_table.js" */

/** @param {LiveTable} table */
export function lobby(table) {
  const { info, you } = table;
  const free = info.seats.filter((seat) => seat.kind === "empty").length;
  return h(
    "main.waiting",
    null,
    h(
      "section.paper",
      null,
      h("h2", null, say("waiting.seats")),
      seats(table),
      you.seat === null && free > 0 && sitForm(table),
      you.seat === null && free === 0 && h("p", null, say("waiting.full")),
    ),
    invitation(table),
    h("section.paper", null, h("h2", null, say("waiting.game")), whatIsPlayed(table)),
    you.host &&
      h(
        "section.row.start",
        null,
        h(
          "button.lead.big",
          { type: "button", onclick: pressed(() => table.command("start", { fill: true })), "data-do": "start" },
          sign("play"),
          free ? say("waiting.start_with_bots", { n: free }) : say("waiting.start"),
        ),
      ),
    !you.host && you.seat !== null && h("p", { role: "status" }, say("waiting.for_host")),
  );
}

/** @param {LiveTable} table */
function seats(table) {
  const { info, you } = table;
  const sends = (/** @type {string} */ what, /** @type {number} */ seat) =>
    pressed(() => table.command(what, { seat }));
  return h(
    "ol.seats",
    null,
    info.seats.map((seat, number) =>
      h(
        "li",
        { "data-key": number },
        playerMark(null, number),
        h("span.player-name", null, seat.name || say("waiting.empty")),
        number === you.seat && h("span.you", { "data-key": "you" }, say("player.you")),
        number === info.host && h("span.small", null, say("waiting.host")),
        seat.kind === "bot" && h("span.small", null, say("player.bot", { bot: seat.bot })),
        seat.away && h("span.small", null, say("player.away")),
        seat.kind === "empty" && you.host && labelledButton("robot", say("waiting.bot"), sends("bot", number)),
        seat.kind === "empty" &&
          you.seat === null &&
          labelledButton(
            "person",
            say("waiting.sit_here"),
            pressed(() => table.sit(nameInField(), number)),
          ),
        seat.kind !== "empty" &&
          you.host &&
          number !== you.seat &&
          labelledButton("close", say("waiting.remove"), sends("remove", number)),
        number === you.seat &&
          labelledButton(
            "away",
            say("waiting.stand"),
            pressed(() => table.command("stand")),
          ),
      ),
    ),
  );
}

/** The name in the field. */
const nameInField = () => /** @type {HTMLInputElement} */ (document.getElementById("name")).value.trim();

/** @param {LiveTable} table */
function sitForm(table) {
  const field = /** @type {HTMLInputElement} */ (
    h("input#name", {
      type: "text",
      required: true,
      maxlength: "24",
      value: settings.name || suggestedName(),
      autocomplete: "nickname",
    })
  );
  const sit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    busy(event.submitter ?? field, () => table.sit(nameInField()));
  };
  return h(
    "form.row.sit",
    { onsubmit: sit },
    h("label", { for: "name" }, say("home.your_name")),
    field,
    h("button.lead", { type: "submit" }, sign("person"), say("waiting.sit")),
  );
}

/** @param {LiveTable} table */
function invitation(table) {
  return h(
    "section.paper.invitation",
    null,
    h("h2", null, say("waiting.invite")),
    h("p", null, say("waiting.invite_how")),
    shareLink(`${location.origin}/tables/${table.id}`, say("waiting.link")),
    h("img.qr", { src: `/api/tables/${table.id}/qr`, alt: say("waiting.qr"), width: "160", height: "160" }),
    table.isLocal && h("p.small", null, say("waiting.local")),
  );
}

/** @param {LiveTable} table */
function whatIsPlayed(table) {
  const { info, you, box } = table;
  const change = async (/** @type {Record<string, any>} */ changed, /** @type {Event} */ { target }) => {
    const label = /** @type {Element} */ (/** @type {Element} */ (target).closest("label"));
    await busy(label, () => table.command("change", changed));
    table.show(); // also if it was refused
  };
  const list = (/** @type {any} */ event) => change({ private: !event.target.checked }, event);
  return h(
    "div.options",
    null,
    optionFields(box, info.options, you.host, (options, event) => change({ options }, event)),
    clockField(info.clock, you.host, (clock, event) => change({ clock }, event)),
    fadingField(box, info.fading, you.host, (fading, event) => change({ fading }, event)),
    h(
      "label.option",
      { "data-key": "public" },
      h("input", { type: "checkbox", checked: !info.private, disabled: !you.host, onchange: list }),
      h("span", null, say("waiting.public")),
    ),
  );
}
