/** Animation: cards fly from pile to pile, points to the score. The page never waits for it. */

import { h } from "../base/dom.js";
import { pace } from "../base/settings.js";
import { playSound } from "../base/sounds.js";
import { MOST } from "./moved_pieces.js";
import { whereSeen } from "./unfold.js";

/** @import { Flight } from "./moved_pieces.js" */

/** How long after another a piece of the same movement sets off, as a part of a flight; and the last one at most. */
const STAGGER = 0.12;
const LAST_START = 0.6;

/**
 * Render the table, and animate what has changed place, from the next frame on: when it has been fitted into its room.
 * @param {Flight[]} flights
 * @param {() => void} render
 */
export function animate(flights, render) {
  const time = document.hidden ? 0 : pace();
  if (!time) return render();
  const planned = flights.slice(0, MOST).map((flight) => ({
    ...flight,
    ...seenAt(flight.from, flight.kind),
    isNew: find(flight.to, flight.kind)?.getAttribute("data-kind") !== flight.kind,
  }));
  const [places, scores] = [placesOf("[data-fly]"), points()];
  render();
  requestAnimationFrame(() => {
    let sounded = false;
    planned.forEach((flight, n) => {
      const delay = Math.min(n * STAGGER, LAST_START) * time;
      sounded = fly(flight, time, delay) || sounded;
    });
    for (const [element, before] of places) slide(element, before, time);
    for (const [score, gained] of gains(scores)) raise(score, gained, time);
    if (sounded) playSound("card");
  });
}

/** @typedef {{ picture: HTMLElement | null, at: DOMRect | null }} Seen */

/**
 * Where a piece of a kind lies in a pile, and what it looks like.
 * @param {string} pile
 * @param {string} kind
 * @returns {Seen}
 */
function seenAt(pile, kind) {
  const element = find(pile, kind);
  const picture = element?.querySelector(".face, .art") ?? null;
  return {
    picture: picture ? /** @type {HTMLElement} */ (picture.cloneNode(true)) : null,
    at: whereSeen(element)?.getBoundingClientRect() ?? null,
  };
}

/**
 * @param {string} pile
 * @param {string} kind
 */
export function find(pile, kind) {
  const all = [...document.querySelectorAll(`[data-pile="${CSS.escape(pile)}"]`)];
  return (
    all.find((element) => element.getAttribute("data-kind") === kind) ??
    all.find((element) => element.hasAttribute("data-kind")) ??
    all[0]
  );
}

/**
 * @param {Flight & Seen & { isNew: boolean }} flight isNew: nothing of its kind was there before
 * @param {number} time
 * @param {number} delay
 */
function fly(flight, time, delay) {
  const target = find(flight.to, flight.kind);
  const there = whereSeen(target)?.getBoundingClientRect();
  const picture = target?.querySelector(".face, .art")?.cloneNode(true) ?? flight.picture;
  if (!flight.at || !there || !picture) return false;
  const size = Math.min(there.width, flight.at.width, 120) || 60;
  const ghost = h(
    "div.flying",
    { style: { "--card": `${size}px` }, "aria-hidden": "true" },
    /** @type {Node} */ (picture),
  );
  document.body.append(ghost);
  if (flight.isNew) target?.animate([{ opacity: 0 }, { opacity: 0 }], { duration: delay + time }); // until it has landed
  const at = (/** @type {DOMRect} */ place) =>
    `${place.left + place.width / 2 - size / 2}px ${place.top + place.height / 2 - ghost.offsetHeight / 2}px`;
  ghost
    .animate([{ translate: at(flight.at) }, { translate: at(there) }], {
      duration: time,
      delay,
      fill: "backwards",
      easing: "cubic-bezier(.45,.05,.2,1)",
    })
    .finished.finally(() => ghost.remove());
  return true;
}

/**
 * Where the pieces are that keep their identity when they move, such as a boat.
 * @param {string} selector
 * @returns {[string, DOMRect][]}
 */
const placesOf = (selector) =>
  [...document.querySelectorAll(selector)].map((element) => [
    element.getAttribute("data-fly") ?? "",
    element.getBoundingClientRect(),
  ]);

/**
 * @param {string} name
 * @param {DOMRect} before
 * @param {number} time
 */
function slide(name, before, time) {
  const element = document.querySelector(`[data-fly="${CSS.escape(name)}"]`);
  const now = element?.getBoundingClientRect();
  if (!element || !now?.width || !before.width) return; // folded away
  const [dx, dy] = [before.left - now.left, before.top - now.top];
  if (Math.hypot(dx, dy) < 2) return;
  element.animate([{ translate: `${dx}px ${dy}px` }, { translate: "0 0" }], {
    duration: time * 1.2,
    easing: "ease-out",
  });
}

/** @returns {Map<string, number>} */
const points = () =>
  new Map(
    [...document.querySelectorAll("[data-score]")].map((score) => [
      score.getAttribute("data-score") ?? "",
      Number(score.getAttribute("data-points")),
    ]),
  );

/**
 * @param {Map<string, number>} before
 * @returns {[Element, number][]}
 */
function gains(before) {
  /** @type {[Element, number][]} */
  const found = [];
  for (const score of document.querySelectorAll("[data-score]")) {
    const had = before.get(score.getAttribute("data-score") ?? "");
    const gained = had === undefined ? 0 : Number(score.getAttribute("data-points")) - had;
    if (gained > 0) found.push([score, gained]);
  }
  return found;
}

/**
 * @param {Element} score
 * @param {number} gained
 * @param {number} time
 */
function raise(score, gained, time) {
  const [there, table] = [score.getBoundingClientRect(), document.getElementById("table")?.getBoundingClientRect()];
  if (!table) return;
  const points = h("div.points-fly", { "aria-hidden": "true" }, `+${gained}`);
  document.body.append(points);
  const from = `${table.left + table.width / 2}px ${table.top + table.height / 2}px`;
  points
    .animate(
      [
        { translate: from, scale: 1.6 },
        { translate: `${there.left}px ${there.top}px`, scale: 1 },
      ],
      { duration: time * 1.6, easing: "ease-in-out" },
    )
    .finished.finally(() => points.remove());
  playSound("points");
}
