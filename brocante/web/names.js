/** A name for somebody who has not said theirs. */

import { say } from "./words.js";

/** One of the names in the catalogue, never the same for long. */
export function someName() {
  const names = say("home.names").split(" ");
  return names[Math.floor(Math.random() * names.length)];
}
