/** Progress and failure of what a button started, shown at the button. It is marked `aria-busy` at once, shows an
 * hourglass after half a second, and says in words that it takes long, or why it failed. */

import { Refused } from "./api.js";
import { h } from "./dom.js";
import { placeBeside } from "./placement.js";
import { toast } from "./toast.js";
import { say } from "./words.js";

/** Milliseconds before the hourglass is shown: sooner, it would only flicker. */
const SOON = 500;
/** Milliseconds before words are shown. */
const LONG = 5000;
/** Where the layout must not shift: there, messages float. */
const FLOATING = ".at-table, .top, dialog";

/**
 * What a button starts. If it takes the signal it can be cancelled: by pressing again, by Escape, by leaving the page.
 * @typedef {(signal: AbortSignal) => Promise<unknown>} Work
 */

/**
 * What is in progress, by the element that started it.
 * @type {Map<Element, { stopper: AbortController, mayStop: boolean }>}
 */
const running = new Map();

/** The last message, and where it belongs. @type {{ line: HTMLElement, place: Element, isFloating: boolean } | null} */
let message = null;

/**
 * A listener for a button. The button is busy until the work is done; a second press starts nothing.
 * @param {Work} work
 */
export const pressed = (work) => (/** @type {Event} */ event) =>
  busy(/** @type {Element} */ (event.currentTarget), work);

/**
 * Do some work that was started at an element.
 * @param {Element} place
 * @param {Work} work
 * @returns {Promise<boolean>} whether it was done
 */
export async function busy(place, work) {
  if (running.has(place)) return cancelIfSeen(place);
  clearMessage();
  const stopper = new AbortController();
  running.set(place, { stopper, mayStop: work.length > 0 });
  place.setAttribute("aria-busy", "true");
  const timers = [setTimeout(() => showHourglass(place), SOON), setTimeout(() => sayLong(place), LONG)];
  try {
    await Promise.race([work(stopper.signal), aborted(stopper.signal)]);
    return true;
  } catch (error) {
    if (!stopper.signal.aborted) showFailure(place, error);
    return false;
  } finally {
    timers.forEach(clearTimeout);
    running.delete(place);
    for (const name of ["aria-busy", "data-waiting"]) place.removeAttribute(name);
    if (message?.line.role === "status" && message.place === place) clearMessage();
    if (!running.size) announce("");
  }
}

/** @param {AbortSignal} signal @returns {Promise<never>} */
const aborted = (signal) =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));

/**
 * Cancel everything: the reader leaves the page, or has pressed something else.
 * @param {EventTarget | null} [except] what was started there goes on
 */
export function cancelAll(except = null) {
  for (const [place, { stopper }] of running) if (place !== except) stopper.abort();
  clearMessage();
}

/** @param {Element} place */
function cancelIfSeen(place) {
  const { stopper, mayStop } = running.get(place) ?? {};
  if (mayStop && place.hasAttribute("data-waiting")) stopper?.abort(); // sooner, it is half of a double click
  return false;
}

/** @param {Element} place */
function showHourglass(place) {
  place.setAttribute("data-waiting", "");
  announce(say("busy.wait"));
}

/** @param {string} words for screen readers; empty when there is nothing to wait for */
function announce(words) {
  const region = document.getElementById("waiting");
  if (region && region.textContent !== words) region.textContent = words;
}

/** @param {Element} place */
function sayLong(place) {
  const mayStop = running.get(place)?.mayStop;
  showMessage(place, "status", [say("busy.long"), mayStop && say("busy.stop")].filter(Boolean).join(" "));
}

/**
 * @param {Element} place
 * @param {unknown} error a refusal; anything else is a bug and goes to the console as well
 */
function showFailure(place, error) {
  if (!(error instanceof Refused)) reportError(error);
  else if (error.code === "stale") return; // the table has changed meanwhile, and shows it
  showMessage(place, "alert", error instanceof Refused ? error.message : say("error.failed"));
}

/**
 * @param {Element} place
 * @param {"alert" | "status"} role
 * @param {string} words
 */
function showMessage(place, role, words) {
  clearMessage();
  if (!place.checkVisibility({ visibilityProperty: true })) return toast(words); // it is no longer on the page
  const line = h("p.beneath", { role }, words);
  const isFloating = place.closest(FLOATING) !== null;
  message = { line, place, isFloating };
  if (isFloating) (place.closest("dialog") ?? document.body).append(line);
  else place.after(line);
  if (isInSight(place)) line.scrollIntoView({ block: "nearest" });
  float();
}

/** @param {Element} place */
function isInSight(place) {
  const { top, bottom } = place.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

function clearMessage() {
  message?.line.remove();
  message = null;
}

/** Keep a floating message beside what it is about. */
function float() {
  if (!message?.isFloating) return;
  message.line.classList.add("afloat");
  placeBeside(message.place, message.line, "below");
}

addEventListener("scroll", float, true);
addEventListener("resize", float);
addEventListener("pointerdown", () => message?.isFloating && clearMessage(), true);
addEventListener(
  "keydown",
  (event) => {
    if (message?.isFloating) clearMessage();
    if (event.key !== "Escape") return;
    const seen = [...running].filter(([place, { mayStop }]) => mayStop && place.hasAttribute("data-waiting"));
    if (!seen.length) return;
    seen.forEach(([place]) => cancelIfSeen(place));
    event.preventDefault();
    event.stopImmediatePropagation(); // one Escape does one thing
  },
  true,
);
