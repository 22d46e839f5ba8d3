/** Passing automatically: for a player who knows that they have nothing to do while others are being asked. */

import { h } from "../base/dom.js";
import { say } from "../base/words.js";

/** Milliseconds that a player has to touch a card instead. */
const GRACE = 600;

/** @import { LiveTable } from "../pages/live_table.js" */

/**
 * The pass that the player may make now, which is what the table does for those who do not answer in time.
 * @param {LiveTable} table
 */
const passOffered = ({ now, view }) =>
  now.otherwise ? view?.offers.find(({ move }) => move.move === now.otherwise)?.move : undefined;

/**
 * Pass in a moment, if the player has said so, and touches no card until then.
 * @param {LiveTable} table
 */
export function passIfAutomatic(table) {
  if (table.info.phase !== "playing") table.passesAutomatically = false;
  if (!table.passesAutomatically || !passOffered(table)) return;
  const { step } = table.now;
  setTimeout(() => {
    const pass = passOffered(table);
    const isStillAsked = !table.isClosed && step === table.now.step;
    if (pass && table.passesAutomatically && isStillAsked) table.play(pass, table.strip.element);
  }, GRACE);
}

/**
 * A card was touched: the player decides again.
 * @param {LiveTable} table
 */
export function stopPassing(table) {
  if (!table.passesAutomatically) return;
  table.passesAutomatically = false;
  table.show();
}

/**
 * A switch, shown where the player may pass, and as long as it is on.
 * @param {LiveTable} table
 */
export function autoPassSwitch(table) {
  const isOn = table.passesAutomatically;
  if (!isOn && (table.moments.length || !passOffered(table))) return null;
  const onclick = () => {
    table.passesAutomatically = !table.passesAutomatically;
    passIfAutomatic(table);
    table.show();
  };
  return h(
    "button.auto-pass",
    { type: "button", "data-key": "auto-pass", "data-do": "auto-pass", "aria-pressed": String(isOn), onclick },
    say("table.auto_pass"),
  );
}
