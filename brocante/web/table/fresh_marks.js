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

  /** Mark what is on the page, and nothing else: the piece itself, another that lies on it, or else the pile. */
  show() {
    /** @type {Set<Element>} */
    const marked = new Set();
    for (const { to, kind } of this.landed) {
      const all = [...document.querySelectorAll(`#play [data-pile="${CSS.escape(to)}"]`)];
      const alike = all.filter((element) => element.getAttribute("data-kind") === kind);
      const found =
        alike.find((element) => !marked.has(element)) ??
        alike[0] ??
        all.find((element) => element.hasAttribute("data-kind")) ??
        all[0];
      if (found) marked.add(found);
    }
    for (const element of document.querySelectorAll("#play [data-fresh]")) if (!marked.has(element)) unmark(element);
    marked.forEach(mark);
  }

  hide() {
    document.querySelectorAll("#play [data-fresh]").forEach(unmark);
  }
}

/** @param {Element} element */
function mark(element) {
  element.toggleAttribute("data-fresh", true); // nothing is styled anew if it was there
  element.setAttribute("aria-description", say("table.fresh"));
}

/** @param {Element} element */
function unmark(element) {
  element.removeAttribute("data-fresh");
  element.removeAttribute("aria-description");
}
