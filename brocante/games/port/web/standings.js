/** Everyone's score in a corner of the map. Screen readers skip it: it is at everyone's place too. */

import { h } from "../../base/dom.js";
import { playerMark } from "../../table/players.js";

/** @import { Place } from "../../base/wire.js" */
/** @import { Scene } from "../../table/scene.js" */

/** @param {Scene} scene */
export function standings({ view, info, now }) {
  const line = (/** @type {Place} */ { seat, in_words }) =>
    h(
      "div.standing",
      { class: now.asked?.includes(seat) ? "asked" : "" },
      playerMark(view, seat),
      h("b", null, info.seats[seat]?.name),
      h("span", null, in_words),
    );
  return h(
    "div.standings",
    { "aria-hidden": "true" },
    h("div.status", null, view.table.status),
    view.table.places.map(line),
  );
}
