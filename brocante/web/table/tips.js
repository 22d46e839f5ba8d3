/** Tips: what clicking a piece does, why it does nothing, what a card named in the log looks like. */

import { h } from "../base/dom.js";
import { placeClear } from "../base/placement.js";
import { busy } from "../base/progress.js";
import { face } from "./pieces.js";

/** Milliseconds for which a tip with a link waits for the pointer that leaves its piece. */
const PATIENCE = 400;
/** The clauses at the end of a reason: "… (A5.2)", "… (C5, C6)". */
const CLAUSES = / \(([A-Z]\d+(?:\.\d+)*[a-z]?(?:, [A-Z]\d+(?:\.\d+)*[a-z]?)*)\)\.?$/;

/** @type {HTMLElement | null} */
let tip = null;
/** What the tip is about. @type {Element | null} */
let subject = null;
/** @type {number | undefined} */
let hiding;

/** Show tips for whatever is pointed at or focused. A finger points at nothing: it asks by a touch. */
export function listenForTips() {
  tip = h("div#tip", { role: "tooltip", hidden: true, onclick: clicked, onkeydown: leaveLinks });
  document.body.append(tip);
  addEventListener("pointerover", (event) => event.pointerType !== "touch" && consider(event.target));
  addEventListener("focusin", (event) => {
    if (event.target instanceof Element && event.target.matches(":focus-visible")) consider(event.target);
  });
  addEventListener("pointerdown", (event) => isOnTip(event.target) || hideTip());
  addEventListener("scroll", hideTip, true);
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") hideTip();
    if (event.key === "Tab" && !event.shiftKey && event.target === subject) enterLinks(event);
  });
}

/** @param {EventTarget | null} target */
const isOnTip = (target) => target instanceof Node && Boolean(tip?.contains(target));

/** @param {EventTarget | null} target */
function consider(target) {
  clearTimeout(hiding);
  if (isOnTip(target)) return;
  const about =
    target instanceof Element ? target.closest("[data-says], [data-why], [data-tip], [data-card][data-game]") : null;
  if (about && about === subject && !tip?.hidden) return;
  if (!about || !showTip(about)) leave();
}

/** The pointer has left: hide the tip, but give it time to reach a link. */
function leave() {
  if (tip?.querySelector("a")) hiding = setTimeout(hideTip, PATIENCE);
  else hideTip();
}

/**
 * Show what there is to say about an element.
 * @param {Element} about
 * @returns {boolean} whether there is anything
 */
export function showTip(about) {
  const said = (/** @type {string} */ name) => about.getAttribute(name) ?? "";
  const isRefusal = !said("data-says") && Boolean(said("data-why"));
  const words = said("data-says") || said("data-why") || said("data-tip");
  const card = about.hasAttribute("data-game") ? said("data-card") : ""; // a piece shows it already
  if (!tip || !(words || card)) return false;
  subject = about;
  const holder = about.closest("dialog") ?? document.body; // nothing else lies above a dialog
  if (tip.parentElement !== holder) holder.append(tip);
  tip.className = isRefusal ? "why" : "says";
  tip.replaceChildren(...(isRefusal ? withClauses(words) : [words]));
  if (card) tip.prepend(h("span.card", null, face(said("data-game"), JSON.parse(card))));
  tip.style.left = tip.style.top = "0"; // it must not wrap at the edge where it was
  tip.hidden = false;
  const never = [...document.querySelectorAll("#bar")].filter(
    (bar) => !bar.contains(about) || about.closest("#choices"),
  );
  const rather = [...document.querySelectorAll("#play [data-moves][aria-disabled=false]")];
  const within = about.closest("#play")?.getBoundingClientRect() ?? new DOMRect(0, 0, innerWidth, innerHeight);
  placeClear(about, tip, { within, never, rather });
  return true;
}

export function hideTip() {
  clearTimeout(hiding);
  if (isOnTip(document.activeElement) && subject instanceof HTMLElement) subject.focus();
  if (tip) tip.hidden = true;
  subject = null;
}

/**
 * A reason, in which the clauses of the rules that it names are links.
 * @param {string} words
 * @returns {(string | HTMLElement)[]}
 */
export function withClauses(words) {
  const named = CLAUSES.exec(words)?.[1].split(", ") ?? [];
  if (!named.length) return [words];
  const link = (/** @type {string} */ clause) =>
    h("a.clause", { href: `/rules/${document.body.dataset.game}#${clause}`, "data-clause": clause }, clause);
  const links = named.flatMap((clause, n) => (n ? [", ", link(clause)] : [link(clause)]));
  return [words.replace(CLAUSES, " ("), ...links, ")"];
}

/**
 * Open the rules over the table, at the clause that was clicked.
 * @param {Event} event
 */
export function openClause(event) {
  const { target } = event;
  const mouse = /** @type {MouseEvent} */ (event);
  if (!(target instanceof HTMLElement) || !target.dataset.clause || mouse.ctrlKey || mouse.metaKey) return;
  event.preventDefault();
  const { clause } = target.dataset;
  const game = document.body.dataset.game ?? "";
  busy(target, async (stop) => (await import("../pages/rules.js")).openRulesOf(game, stop, clause)).then(hideTip);
}

/**
 * A tip is in nobody's way: besides its links, a click goes to what lies beneath it.
 * @param {MouseEvent} event
 */
function clicked(event) {
  if (event.target instanceof HTMLAnchorElement) return openClause(event);
  hideTip();
  const beneath = document.elementFromPoint(event.clientX, event.clientY);
  if (beneath instanceof HTMLElement) beneath.click();
}

/**
 * The links of a tip come after its piece, as if they lay beside it.
 * @param {KeyboardEvent} event
 */
function enterLinks(event) {
  const link = tip?.hidden ? null : tip?.querySelector("a");
  if (!link) return;
  event.preventDefault();
  link.focus();
}

/** @param {KeyboardEvent} event */
function leaveLinks(event) {
  const links = [...(tip?.querySelectorAll("a") ?? [])];
  const isBack = event.shiftKey;
  const isLast = event.target === (isBack ? links[0] : links.at(-1));
  if (event.key !== "Escape" && !(event.key === "Tab" && isLast)) return;
  if (subject instanceof HTMLElement) subject.focus(); // from there the browser goes on
  if (isBack || event.key === "Escape") event.preventDefault();
  event.stopPropagation();
}
