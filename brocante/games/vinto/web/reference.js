/** The reference card: its ranks as small cards. */

import { h } from "../../base/dom.js";
import { figure, rankFace } from "./card.js";

/**
 * Draw cards instead of the ranks that are written, as in "7, 8" or "K (King)".
 * @param {HTMLElement} card
 */
export function adorn(card) {
  for (const cell of card.querySelectorAll("td:first-child")) {
    const words = cell.textContent ?? "";
    const [ranks, name] = words.split(/[()]/);
    const faces = (ranks.match(/10|[2-9AJQK★]/g) ?? []).map(face);
    cell.replaceChildren(
      h("span.for-ears", null, words),
      h("span.fan", { "aria-hidden": "true" }, faces, name && h("small", null, name)),
    );
  }
}

/** @param {string} printed */
function face(printed) {
  const rank = printed === "★" ? "X" : printed;
  return h("span.rank", { class: figure(rank) ? "court" : "" }, rankFace(rank));
}
