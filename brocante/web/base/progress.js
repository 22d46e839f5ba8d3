/** What takes its time says so where one pressed: programs are told at once, eyes and ears after half a second; what
 * fails says so there too. */

import { Refused } from "./api.js";
import { h } from "./dom.js";
import { placeBeside } from "./placement.js";
import { note } from "./toast.js";
import { say } from "./words.js";

/** Milliseconds after which a sign is shown: one that comes sooner only flickers. */
const SOON = 500;
/** Milliseconds after which it is said in words. */
const LONG = 5000;
/** Where nothing may shift: there, words float beneath what was pressed. */
const AFLOAT = ".at-table, .top, dialog";

/**
 * What is done meanwhile. If it takes the signal it can be stopped: by pressing again, by Escape, by going elsewhere.
 * @typedef {(signal: AbortSignal) => Promise<unknown>} Work
 */

/**
 * What is under way, by the place where it was asked for.
 * @type {Map<Element, { stopper: AbortController, mayStop: boolean }>}
 */
const underway = new Map();

/** What was said last, and beneath what. @type {{ line: HTMLElement, place: Element, isAfloat: boolean } | null} */
let said = null;

/**
 * A listener for a button: it is busy until the work is done, and a second press begins nothing.
 * @param {Work} work
 */
export const pressed = (work) => (/** @type {Event} */ event) =>
  busy(/** @type {Element} */ (event.currentTarget), work);

/**
 * Do something that was asked for at this place of the page.
 * @param {Element} place
 * @param {Work} work
 * @returns {Promise<boolean>} whether it was done
 */
export async function busy(place, work) {
  if (underway.has(place)) return stopIfSeen(place);
  unsay();
  const stopper = new AbortController();
  underway.set(place, { stopper, mayStop: work.length > 0 });
  place.setAttribute("aria-busy", "true");
  const timers = [setTimeout(() => show(place), SOON), setTimeout(() => tellLong(place), LONG)];
  try {
    await Promise.race([work(stopper.signal), aborted(stopper.signal)]);
    return true;
  } catch (error) {
    if (!stopper.signal.aborted) tell(place, error);
    return false;
  } finally {
    timers.forEach(clearTimeout);
    underway.delete(place);
    for (const name of ["aria-busy", "data-waiting"]) place.removeAttribute(name);
    if (said?.line.role === "status" && said.place === place) unsay();
    if (!underway.size) whisper("");
  }
}

/** @param {AbortSignal} signal @returns {Promise<never>} */
const aborted = (signal) =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));

/**
 * One goes elsewhere: what is under way is of no more use, and what was said neither.
 * @param {EventTarget | null} [but] what is under way there goes on
 */
export function stopAll(but = null) {
  for (const [place, { stopper }] of underway) if (place !== but) stopper.abort();
  unsay();
}

/** @param {Element} place */
function stopIfSeen(place) {
  const { stopper, mayStop } = underway.get(place) ?? {};
  if (mayStop && place.hasAttribute("data-waiting")) stopper?.abort(); // before, it is the second half of a double click
  return false;
}

/** @param {Element} place */
function show(place) {
  place.setAttribute("data-waiting", "");
  whisper(say("busy.wait"));
}

/** @param {string} words for those who do not see the sign; none when it is gone */
function whisper(words) {
  const ears = document.getElementById("waiting");
  if (ears && ears.textContent !== words) ears.textContent = words;
}

/** @param {Element} place */
function tellLong(place) {
  const mayStop = underway.get(place)?.mayStop;
  sayBeneath(place, "status", [say("busy.long"), mayStop && say("busy.stop")].filter(Boolean).join(" "));
}

/**
 * @param {Element} place
 * @param {unknown} error what the server refused; anything else is a fault of ours, and for the console as well
 */
function tell(place, error) {
  if (!(error instanceof Refused)) reportError(error);
  else if (error.code === "stale") return; // the table has gone on, as one sees
  sayBeneath(place, "alert", error instanceof Refused ? error.message : say("error.failed"));
}

/**
 * @param {Element} place
 * @param {"alert" | "status"} role
 * @param {string} words
 */
function sayBeneath(place, role, words) {
  unsay();
  if (!place.checkVisibility({ visibilityProperty: true })) return note(words); // the table was drawn anew without it
  const line = h("p.beneath", { role }, words);
  const isAfloat = place.closest(AFLOAT) !== null;
  said = { line, place, isAfloat };
  if (isAfloat) (place.closest("dialog") ?? document.body).append(line);
  else place.after(line);
  if (isInSight(place)) line.scrollIntoView({ block: "nearest" });
  float();
}

/** @param {Element} place */
function isInSight(place) {
  const { top, bottom } = place.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

function unsay() {
  said?.line.remove();
  said = null;
}

/** What floats stays with what it is about. */
function float() {
  if (!said?.isAfloat) return;
  said.line.classList.add("afloat");
  placeBeside(said.place, said.line, "below");
}

addEventListener("scroll", float, true);
addEventListener("resize", float);
addEventListener("pointerdown", () => said?.isAfloat && unsay(), true);
addEventListener(
  "keydown",
  (event) => {
    if (said?.isAfloat) unsay();
    if (event.key !== "Escape") return;
    const seen = [...underway].filter(([place, { mayStop }]) => mayStop && place.hasAttribute("data-waiting"));
    if (!seen.length) return;
    seen.forEach(([place]) => stopIfSeen(place));
    event.preventDefault();
    event.stopImmediatePropagation(); // one Escape does one thing
  },
  true,
);
