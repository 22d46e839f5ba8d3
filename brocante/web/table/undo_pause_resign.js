/** Undo, pause and resign: the buttons, and the notices while the players must agree. */

import { labelledButton } from "../base/buttons.js";
import { confirmed } from "../base/dialogs.js";
import { h } from "../base/dom.js";
import { busy, pressed } from "../base/progress.js";
import { say } from "../base/words.js";
import { removalNotice, removeButton } from "./removal.js";
import { showTip } from "./tips.js";

/** @import { LiveTable } from "../pages/live_table.js" */

/** What can be taken back: at once, if the others agree, or because bots always do. */
const UNDOABLE = ["free", "ask", "bots"];

/**
 * What would become of a move that is taken back, in words: what the button is called, and why it cannot be pressed.
 * @param {LiveTable} table
 */
function aboutUndo({ undo, info }) {
  const isAsked = info.undo !== null;
  const why = isAsked
    ? say("table.undo_under_way")
    : UNDOABLE.includes(undo)
      ? ""
      : say(`table.undo_${undo || "nothing"}`);
  return { words: say(undo === "ask" ? "table.undo_ask" : "table.undo"), why };
}

/**
 * Take back a move, or say at the button why that is not possible.
 * @param {LiveTable} table
 */
export const takeBack = (table) => (/** @type {Event} */ event) => {
  const button = /** @type {Element} */ (event.currentTarget);
  const { why } = aboutUndo(table);
  if (why) showTip(button);
  else busy(button, () => table.command("undo"));
};

/**
 * Attributes of a button that takes back a move. It stays focusable, so that everybody can learn why it is grey.
 * @param {LiveTable} table
 */
function undoProps(table) {
  const { words, why } = aboutUndo(table);
  return {
    "data-do": "undo",
    "aria-disabled": String(Boolean(why)),
    "aria-description": why || null,
    "data-tip": why || words,
  };
}

/**
 * Bring the button above the table up to date, which small screens have instead of the one beside it.
 * @param {LiveTable} table
 * @param {Element} button
 */
export function updateUndo(table, button) {
  button.setAttribute("aria-label", aboutUndo(table).words);
  for (const [name, value] of Object.entries(undoProps(table))) {
    if (value === null) button.removeAttribute(name);
    else button.setAttribute(name, value);
  }
}

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
      labelledButton("undo", aboutUndo(table).words, takeBack(table), undoProps(table)),
    playing && !info.paused && labelledButton("pause", say("table.pause"), sends("pause")),
    playing && info.paused && labelledButton("go", say("table.resume"), sends("resume")),
    playing && !resigned && labelledButton("flag", say("table.resign"), resign),
    removeButton(table),
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
    removalNotice(table),
  );
}
