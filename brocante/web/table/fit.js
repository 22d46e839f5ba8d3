/**
 * The layout engine: every length on the stage is a multiple of one measure, `--unit`, the width of a card in the hand, and
 * the measure is the largest with which everything has room. How things stand beside each other is for container queries.
 */

const [LEAST, MOST] = [44, 260]; // pixels

/** The measure stays as it is unless it could grow by this much: cards that change size with every move cannot be read. */
const GROWS = 1.12;

/** How close the search comes, in pixels. */
const CLOSE = 1;

/** @typedef {{ element: HTMLElement, parts: HTMLElement[], unit: number }} Fitted parts: what must not overflow */

/**
 * Give a stage the largest measure with which nothing in it overflows.
 * @param {Fitted} stage
 */
export function fit(stage) {
  if (!stage.element.isConnected || !stage.element.clientHeight) return;
  const hasRoom = (/** @type {number} */ unit) => {
    stage.element.style.setProperty("--unit", `${unit}px`);
    return stage.parts.every(holds);
  };
  const isSettled = stage.unit > 0 && hasRoom(stage.unit) && (stage.unit >= MOST || !hasRoom(stage.unit * GROWS));
  if (!isSettled) stage.unit = largest(hasRoom, stage.unit);
  stage.element.style.setProperty("--unit", `${stage.unit}px`);
}

/**
 * @param {(unit: number) => boolean} hasRoom
 * @param {number} guess
 */
function largest(hasRoom, guess) {
  let [low, high] = [LEAST, MOST];
  let next = guess > low && guess < high ? guess : (low + high) / 2;
  while (high - low > CLOSE) {
    if (hasRoom(next)) low = next;
    else high = next;
    next = (low + high) / 2;
  }
  return Math.floor(low);
}

/** @param {HTMLElement} part */
const holds = (part) => part.scrollHeight <= part.clientHeight + 1 && part.scrollWidth <= part.clientWidth + 1;

/**
 * Fit a stage again whenever its room changes.
 * @param {Fitted} stage
 */
export function keepFitting(stage) {
  const watch = new ResizeObserver(() => fit(stage));
  for (const part of [stage.element, ...stage.parts]) watch.observe(part);
  stage.element.addEventListener("toggle", () => fit(stage), true); // something was folded or unfolded
}
