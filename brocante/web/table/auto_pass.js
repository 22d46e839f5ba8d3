/** Passing automatically: for a player who knows that they have nothing to do while others are being asked. */

import { h } from "../base/dom.js";
import { say } from "../base/words.js";

/** @import { LiveTable } from "../pages/live_table.js" */

/**
 * The pass that the player may make now, which is what the table does for those who do not answer in time.
 * @param {LiveTable} table
 */
const passOffered = ({ now, view }) =>
  now.otherwise ? view?.offers.find(({ move }) => move.move === now.otherwise)?.move : undefined;

/**
 * Pass, if the player has said so.
 * @param {LiveTable} table
 */
export function passIfAutomatic(table) {
  const pass = passOffered(table);
  if (table.info.phase !== "playing") table.passesAutomatically = false;
  if (pass && table.passesAutomatically) table.play(pass, table.strip.element);
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
