/** Undo, pause and resign: the buttons, and the notices while the players must agree. */

import { labelledButton } from "../base/buttons.js";
import { confirmed } from "../base/dialogs.js";
import { h } from "../base/dom.js";
import { busy, pressed } from "../base/progress.js";
import { say } from "../base/words.js";

/** @import { LiveTable } from "../pages/live_table.js" */

/** @param {LiveTable} table */
export function controls(table) {
  const { info, you } = table;
  const playing = you.seat !== null && info.phase === "playing";
  const resigned = you.seat !== null && info.seats[you.seat].resigned;
  const sends = (/** @type {string} */ what) => pressed(() => table.command(what));
  const resign = async (/** @type {Event} */ event) => {
    const button = /** @type {Element} */ (event.currentTarget);
    if (await confirmed(say("table.resign_sure"), say("table.resign"))) busy(button, () => table.command("resign"));
  };
  return h(
    "div.row",
    null,
    playing &&
      !info.paused &&
      !resigned &&
      labelledButton("undo", say("table.undo"), sends("undo"), { "data-do": "undo" }),
    playing && !info.paused && labelledButton("pause", say("table.pause"), sends("pause")),
    playing && info.paused && labelledButton("go", say("table.resume"), sends("resume")),
    playing && !resigned && labelledButton("flag", say("table.resign"), resign),
    you.seat === null && info.phase !== "open" && h("p.small", null, say("table.watching")),
  );
}

/** @param {LiveTable} table */
export function notices(table) {
  const { info, you } = table;
  const button = (/** @type {string} */ words, /** @type {string} */ what) =>
    h("button", { type: "button", "data-key": what, onclick: pressed(() => table.command(what)) }, words);
  const [seated, undo] = [you.seat !== null, info.phase === "playing" ? info.undo : null];
  const mayAnswer = seated && undo !== you.seat && !info.agreed.includes(you.seat ?? 0);
  return h(
    "div",
    null,
    info.paused &&
      h("p.notice-bar", { role: "status" }, say("table.paused"), seated && button(say("table.resume"), "resume")),
    info.phase === "playing" &&
      you.seat !== null &&
      info.seats[you.seat].resigned &&
      h("p.notice-bar", { role: "status", "data-key": "resigned" }, say("table.you_resigned")),
    undo !== null &&
      h(
        "p.notice-bar",
        { role: "status" },
        undo === you.seat ? say("table.undo_waiting") : say("table.undo_asked", { who: info.seats[undo].name }),
        mayAnswer && [button(say("table.agree"), "agree"), button(say("table.refuse"), "refuse")],
        undo === you.seat && button(say("nav.never_mind"), "refuse"),
      ),
  );
}
