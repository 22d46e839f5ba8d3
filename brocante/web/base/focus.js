/** The keyboard's focus is never lost: when what has it goes away, it passes to the same thing or to what lies nearest. */

/** What can take it: whatever can be touched now. */
const TOUCHABLE = "#play [data-moves][aria-disabled=false], #choices button";
/** What a second press of Enter must not do by accident. */
const RATHER_NOT = ".quiet, [data-do=let-be]";
/** What else can take it, the best first. */
const OTHERWISE = ["#after .lead", "#prompt", "#after button"];

/** @typedef {{ key: string | null, x: number, y: number }} Spot */

/** Where it was last, as long as the keyboard is used. @type {Spot | null} */
let last = null;
/** What has it only because nothing better was there. @type {Element | null} */
let standIn = null;

/** Remember where the keyboard's focus is. A pointer needs none. */
export function watchFocus() {
  addEventListener("focusin", ({ target }) => {
    if (!(target instanceof Element) || target.closest("dialog, #tip") || target === standIn) return;
    standIn = null;
    last = target.matches(":focus-visible") ? spotOf(target) : null;
  });
  addEventListener("pointerdown", () => (last = null));
  addEventListener("click", ({ target }) => last || dropFocus(target));
}

/** @param {Element} element @returns {Spot} */
function spotOf(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { key: element.getAttribute("data-key"), x: left + width / 2, y: top + height / 2 };
}

/** Note where the focus is, before the page changes. */
export function noteFocus() {
  const focused = document.activeElement;
  if (last && focused && focused !== document.body && focused !== standIn && !focused.closest("dialog, #tip"))
    last = spotOf(focused);
}

/**
 * Take the focus from what was clicked: a pointer needs none. Later, when the page has changed, or the piece has gone with it,
 * the browser would lay the page out at once, with only half of what changes.
 * @param {EventTarget | null} clicked
 */
function dropFocus(clicked) {
  const focused = document.activeElement;
  const isClicked = clicked instanceof Node && focused?.contains(clicked);
  if (isClicked && focused instanceof HTMLElement && focused.matches(".piece, #choices button")) focused.blur();
}

/** Find a place for the focus, if it was lost. */
export function findFocus() {
  const focused = document.activeElement;
  const isLost = !focused || focused === document.body || focused === standIn || focused.matches("[role=img]");
  if (!last || !isLost || document.querySelector("dialog:modal")) return;
  const { key, x, y } = last;
  const same = key === null ? [] : visible(`:is(button, [role=button])[data-key="${CSS.escape(key)}"]`);
  const far = (/** @type {Element} */ thing) =>
    Math.hypot(spotOf(thing).x - x, spotOf(thing).y - y) + (thing.matches(RATHER_NOT) ? innerWidth + innerHeight : 0);
  const [found] = [...same, ...visible(TOUCHABLE).sort((one, other) => far(one) - far(other))];
  standIn = found ? null : (OTHERWISE.flatMap(visible)[0] ?? null);
  const taker = found ?? standIn;
  if (taker !== focused) taker?.focus({ preventScroll: taker === standIn });
}

/** @param {string} selector @returns {HTMLElement[]} */
export const visible = (selector) =>
  /** @type {HTMLElement[]} */ ([...document.querySelectorAll(selector)]).filter((thing) =>
    thing.checkVisibility({ visibilityProperty: true }),
  );
