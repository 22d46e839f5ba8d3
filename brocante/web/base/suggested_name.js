/** A name for players who have not given theirs. */

import { say } from "./words.js";

let chosen = "";

/** One of the names in the catalogue, the same one until the page is reloaded. */
export function suggestedName() {
  const names = say("home.names").split(" ");
  chosen ||= names[Math.floor(Math.random() * names.length)];
  return chosen;
}
