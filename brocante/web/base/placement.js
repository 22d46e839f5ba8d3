/** Words that float beside what they are about. */

/** Pixels between words and what they are about, or must not cover. */
const GAP = 8;
/** How many pixels of things that can be touched it is worth to cover, to be a pixel nearer. */
const NEARNESS = 12;
/** Covering something that must not be covered costs more than all else. */
const NEVER = 1e6;

/**
 * Place words above or below what they are about, or on the other side if there is no room.
 * @param {Element} about
 * @param {HTMLElement} words
 * @param {"above" | "below"} side
 */
export function placeBeside(about, words, side) {
  const [there, size] = [about.getBoundingClientRect(), words.getBoundingClientRect()];
  const [above, below] = [there.top - size.height - GAP, there.bottom + GAP];
  const isAbove = side === "above" ? above > 4 : below + size.height > innerHeight - 4;
  const x = Math.max(GAP, Math.min(there.left + there.width / 2 - size.width / 2, innerWidth - size.width - GAP));
  words.style.left = `${x}px`;
  words.style.top = `${isAbove ? above : below}px`;
}

/**
 * Place words near what they are about, but neither on it nor on what must be read meanwhile, and rather not on what can
 * be touched.
 * @param {Element} about
 * @param {HTMLElement} words
 * @param {{ within: DOMRect, never: Element[], rather: Element[] }} room what may be covered only if there is no other room
 */
export function placeClear(about, words, { within, never, rather }) {
  const rects = (/** @type {Element[]} */ all) => all.map((element) => element.getBoundingClientRect());
  const there = about.getBoundingClientRect();
  const { width, height } = words.getBoundingClientRect();
  const [kept, touchable] = [rects([about, ...never]), rects(rather)];
  const middle = [there.left + (there.width - width) / 2, there.top + (there.height - height) / 2];
  const xs = [middle[0], there.right + GAP, there.left - GAP - width];
  const ys = [...kept.flatMap(({ top, bottom }) => [top - GAP - height, bottom + GAP]), middle[1]];
  const inside = (/** @type {number} */ at, /** @type {number} */ from, /** @type {number} */ to) =>
    Math.max(from + 4, Math.min(at, to - 4));
  const cost = (/** @type {DOMRect} */ place) =>
    NEVER * sum(kept.map((rect) => overlap(place, rect))) +
    sum(touchable.map((rect) => overlap(place, rect))) +
    NEARNESS * distance(place, there);
  const places = ys.flatMap((y) =>
    xs.map(
      (x) =>
        new DOMRect(
          inside(x, within.left, within.right - width),
          inside(y, within.top, within.bottom - height),
          width,
          height,
        ),
    ),
  );
  const best = places.reduce((one, other) => (cost(other) < cost(one) ? other : one));
  words.style.left = `${best.x}px`;
  words.style.top = `${best.y}px`;
}

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/**
 * How many pixels two rectangles share.
 * @param {DOMRect} one
 * @param {DOMRect} other
 */
const overlap = (one, other) =>
  Math.max(0, Math.min(one.right, other.right) - Math.max(one.left, other.left)) *
  Math.max(0, Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top));

/**
 * How far two rectangles are apart.
 * @param {DOMRect} one
 * @param {DOMRect} other
 */
const distance = (one, other) =>
  Math.max(0, one.left - other.right, other.left - one.right) +
  Math.max(0, one.top - other.bottom, other.top - one.bottom);
