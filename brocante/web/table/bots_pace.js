/** How fast bots move, for somebody who plays alone with them. */

import { settings } from "../base/settings.js";
import { say } from "../base/words.js";
import { pressed } from "../base/progress.js";
import { stripButton } from "./strip.js";

/** @import { LiveTable } from "../pages/live_table.js" */

/** @param {LiveTable} table */
const isAlone = ({ info, you }) => you.seat !== null && info.seats.filter(({ kind }) => kind === "person").length === 1;

/**
 * Have bots move as fast as the player has chosen. Asked for once for each choice: another tab may have chosen otherwise.
 * @param {LiveTable} table
 */
export function keepPace(table) {
  if (!table.info || table.info.phase !== "playing" || !isAlone(table) || table.paceAsked === settings.bots) return;
  table.paceAsked = settings.bots;
  if (table.info.pace !== settings.bots) table.command("pace", { pace: settings.bots }).catch(() => {});
}

/**
 * Whether bots are moving whom the player need not wait for.
 * @param {LiveTable} table
 */
export const canSkip = (table) =>
  isAlone(table) &&
  table.info.phase === "playing" &&
  table.info.pace !== "instant" &&
  !table.info.paused &&
  !table.info.skipping &&
  !table.isAsked &&
  !table.info.seats[table.you.seat ?? 0].resigned;

/** @param {LiveTable} table */
export const skipButton = (table) =>
  canSkip(table) &&
  stripButton(
    "skip",
    "last",
    say("table.skip_bots"),
    pressed(() => table.command("skip")),
  );
