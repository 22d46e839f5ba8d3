/** Marks on whatever has moved since the player's own last turn. */

import { say } from "../base/words.js";

/** @import { Flight } from "./moved_pieces.js" */

export class FreshMarks {
  /** @type {Flight[]} where pieces lie that have moved */
  landed = [];

  /** @param {Flight[]} flights what has just moved */
  add(flights) {
    for (const flight of flights) {
      const earlier = this.landed.findIndex(({ to, kind }) => to === flight.from && kind === flight.kind);
      if (earlier >= 0) this.landed.splice(earlier, 1); // it has moved on
      this.landed.push(flight);
    }
  }

  /** The player has moved: what happened before is no longer fresh. */
  clear() {
    this.landed = [];
  }

  /** Mark what is on the page: the piece itself, another that lies on it, or else the pile. */
  show() {
    for (const { to, kind } of this.landed) {
      const all = [...document.querySelectorAll(`#play [data-pile="${CSS.escape(to)}"]`)];
      const alike = all.filter((element) => element.getAttribute("data-kind") === kind);
      const marked =
        alike.find((element) => !element.hasAttribute("data-fresh")) ??
        alike[0] ??
        all.find((element) => element.hasAttribute("data-kind")) ??
        all[0];
      marked?.setAttribute("data-fresh", "");
      marked?.setAttribute("aria-description", say("table.fresh"));
    }
  }
}
