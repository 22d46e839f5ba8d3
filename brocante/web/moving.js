/** Things move: cards go from where they were to where they are, points fly to the score. Nothing waits for it. */

import { h } from "./dom.js";
import { pace } from "./settings.js";
import { playSound } from "./sounds.js";

/** At most so many things fly at once: more would tell nothing. */
const MOST = 14;

/**
 * Something that goes from one pile to another.
 * @typedef {{ from: string, to: string, kind: string }} Flow
 */

/**
 * Show the table anew, with everything that changed place moving there.
 * @param {Flow[]} flows
 * @param {() => void} render
 */
export function withMovement(flows, render) {
  const time = document.hidden ? 0 : pace();
  if (!time) return render();
  const planned = flows.slice(0, MOST).map((flow) => ({
    ...flow,
    ...seenAt(flow.from, flow.kind),
    isNew: find(flow.to, flow.kind)?.getAttribute("data-kind") !== flow.kind,
  }));
  const [places, scores] = [placesOf("[data-fly]"), points()];
  render();
  let sounded = false;
  for (const flow of planned) sounded = fly(flow, time) || sounded;
  for (const [element, before] of places) slide(element, before, time);
  for (const [score, gained] of gains(scores)) raise(score, gained, time);
  if (sounded) playSound("card");
}

/** @typedef {{ picture: HTMLElement | null, at: DOMRect | null }} Seen */

/**
 * Where something of a kind lies in a pile, and what it looks like.
 * @param {string} pile
 * @param {string} kind
 * @returns {Seen}
 */
function seenAt(pile, kind) {
  const element = find(pile, kind);
  const picture = element?.querySelector(".face, .art") ?? null;
  return {
    picture: picture ? /** @type {HTMLElement} */ (picture.cloneNode(true)) : null,
    at: element?.getBoundingClientRect() ?? null,
  };
}

/**
 * @param {string} pile
 * @param {string} kind
 */
function find(pile, kind) {
  const all = [...document.querySelectorAll(`[data-pile="${CSS.escape(pile)}"]`)];
  return (
    all.find((element) => element.getAttribute("data-kind") === kind) ??
    all.find((element) => element.hasAttribute("data-kind")) ??
    all[0]
  );
}

/**
 * @param {Flow & Seen & { isNew: boolean }} flow isNew: nothing like it lay there
 * @param {number} time
 */
function fly(flow, time) {
  const target = find(flow.to, flow.kind);
  const there = target?.getBoundingClientRect();
  const picture = target?.querySelector(".face, .art")?.cloneNode(true) ?? flow.picture;
  if (!flow.at || !there || !picture) return false;
  const size = Math.min(there.width, flow.at.width, 120) || 60;
  const ghost = h(
    "div.flying",
    { style: { "--card": `${size}px` }, "aria-hidden": "true" },
    /** @type {Node} */ (picture),
  );
  document.body.append(ghost);
  if (flow.isNew) target?.animate([{ opacity: 0 }, { opacity: 0 }], { duration: time }); // it is not there yet
  const at = (/** @type {DOMRect} */ place) =>
    `${place.left + place.width / 2 - size / 2}px ${place.top + place.height / 2 - ghost.offsetHeight / 2}px`;
  ghost
    .animate([{ translate: at(flow.at) }, { translate: at(there) }], {
      duration: time,
      easing: "cubic-bezier(.2,.7,.2,1)",
    })
    .finished.finally(() => ghost.remove());
  return true;
}

/**
 * Where everything is that has a name of its own and keeps it: a boat.
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
  if (!element || !now) return;
  const [dx, dy] = [before.left - now.left, before.top - now.top];
  if (Math.hypot(dx, dy) < 2) return;
  element.animate([{ translate: `${dx}px ${dy}px` }, { translate: "0 0" }], {
    duration: time * 1.5,
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
      { duration: time * 2, easing: "ease-in-out" },
    )
    .finished.finally(() => points.remove());
  playSound("points");
}

/**
 * What went where between two tables, told from the tables alone: what a pile has less of a kind and another has more.
 * @param {import("./types.js").Table} before
 * @param {import("./types.js").Table} after
 * @returns {Flow[]}
 */
export function flowsBetween(before, after) {
  /** @type {{ pile: string, kind: string }[]} */
  const sources = [];
  /** @type {{ pile: string, kind: string }[]} */
  const sinks = [];
  const [had, has] = [counted(before), counted(after)];
  for (const key of new Set([...had.keys(), ...has.keys()])) {
    const [pile, kind] = key.split("|");
    const more = (has.get(key) ?? 0) - (had.get(key) ?? 0);
    for (let n = 0; n < Math.min(Math.abs(more), MOST); n++) (more > 0 ? sinks : sources).push({ pile, kind });
  }
  return paired(sources, sinks);
}

/**
 * How much of each kind lies in each pile.
 * @param {import("./types.js").Table} table
 */
function counted(table) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  const add = (/** @type {string} */ pile, /** @type {string} */ kind, /** @type {number} */ n) =>
    n && counts.set(`${pile}|${kind}`, (counts.get(`${pile}|${kind}`) ?? 0) + n);
  const zones = [
    ...table.centre.map((zone) => ({ where: `centre.${zone.key}`, zone })),
    ...table.places.flatMap((place) => place.zones.map((zone) => ({ where: `${place.seat}.${zone.key}`, zone }))),
  ];
  for (const { where, zone } of zones) {
    for (const { card, count } of zone.stacks) {
      if (zone.layout === "row" && card && count > 1) {
        add(where, card.kind, 1); // of a pile that lies face up one sees the top card
        add(where, "?", count - 1);
      } else add(where, card?.kind ?? "?", count);
    }
  }
  return counts;
}

/**
 * @param {{ pile: string, kind: string }[]} sources
 * @param {{ pile: string, kind: string }[]} sinks
 */
function paired(sources, sinks) {
  /** @type {Flow[]} */
  const flows = [];
  const match = (/** @type {(source: Flow["kind"], sink: Flow["kind"]) => boolean} */ fits) => {
    for (const sink of [...sinks]) {
      const source = sources.find((candidate) => fits(candidate.kind, sink.kind));
      if (!source) continue;
      sources.splice(sources.indexOf(source), 1);
      sinks.splice(sinks.indexOf(sink), 1);
      if (source.pile !== sink.pile)
        flows.push({ from: source.pile, to: sink.pile, kind: sink.kind === "?" ? source.kind : sink.kind });
    }
  };
  match((source, sink) => source === sink);
  match((source, sink) => source === "?" || sink === "?");
  return flows;
}
