/** Removing somebody in the middle of a game: the host asks, and the others who play must agree. */

import { labelledButton } from "../base/buttons.js";
import { openDialog } from "../base/dialogs.js";
import { h } from "../base/dom.js";
import { busy, pressed } from "../base/progress.js";
import { say } from "../base/words.js";

/** @import { LiveTable } from "../pages/live_table.js" */

/**
 * The host's button; null for everybody else, and where nobody could be removed.
 * @param {LiveTable} table
 */
export function removeButton(table) {
  const { info, you } = table;
  const others = info.seats.some(({ kind }, seat) => kind === "person" && seat !== you.seat);
  if (!you.host || info.phase !== "playing" || !others) return null;
  return labelledButton("close", say("removal.open"), () => chooseWhom(table), { "data-do": "remove" });
}

/** @param {LiveTable} table */
function chooseWhom(table) {
  const button = (/** @type {string} */ who, /** @type {number} */ seat) => {
    const remove = async (/** @type {Event} */ event) => {
      const pressedOne = /** @type {Element} */ (event.currentTarget);
      if (await busy(pressedOne, () => table.command("remove", { seat }))) dialog.close();
    };
    return h("button", { type: "button", "data-key": seat, onclick: remove }, say("removal.yes", { who }));
  };
  const { info, you } = table;
  const dialog = openDialog(
    say("removal.open"),
    h("p", null, say("removal.how")),
    h(
      "div.row",
      null,
      info.seats.map(({ kind, name }, seat) => kind === "person" && seat !== you.seat && button(name, seat)),
    ),
  );
}

/**
 * What everybody is told while it is asked; those who are to answer have buttons, and the host can let it be.
 * @param {LiveTable} table
 */
export function removalNotice(table) {
  const { info, you } = table;
  const seat = info.phase === "playing" ? info.removal : null;
  if (seat === null) return null;
  const who = info.seats[seat].name;
  const button = (/** @type {string} */ words, /** @type {string} */ what) =>
    h(
      "button",
      { type: "button", "data-key": what, onclick: pressed(() => table.command(what, { to: "removal" })) },
      words,
    );
  const asked = seat === you.seat ? "about_you" : you.host ? "waiting" : "asked";
  return h(
    "p.notice-bar",
    { role: "status", "data-key": "removal" },
    say(`removal.${asked}`, { who }),
    mayAnswer(table, seat) && [
      button(say("removal.yes", { who }), "agree"),
      button(say("removal.no", { who }), "refuse"),
    ],
    you.host && button(say("nav.never_mind"), "refuse"),
  );
}

/**
 * @param {LiveTable} table
 * @param {number} asked the seat of the person whom it is about
 */
function mayAnswer({ info, you }, asked) {
  if (you.seat === null || you.host || you.seat === asked) return false;
  return !info.seats[you.seat].resigned && !info.removal_agreed.includes(you.seat);
}
