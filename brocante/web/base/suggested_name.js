/** A name for somebody who has not said theirs. */

import { say } from "./words.js";

let chosen = "";

/** One of the names in the catalogue, the same until the page is left. */
export function suggestedName() {
  const names = say("home.names").split(" ");
  chosen ||= names[Math.floor(Math.random() * names.length)];
  return chosen;
}
