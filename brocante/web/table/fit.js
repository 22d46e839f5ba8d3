/**
 * The layout engine: every length on the stage is a multiple of one measure, `--unit`, the width of a card in the hand, and
 * the measure is the largest with which everything has room. How things stand beside each other is for container queries,
 * or for the engine: of the arrangements that a drawing names, it takes the one with the largest measure.
 */

const [LEAST, MOST] = [44, 260]; // pixels

/** The measure stays as it is unless it could grow by this much: cards that change size with every move cannot be read. */
const GROWS = 1.12;

/** An arrangement is preferred to those named before it if the measure grows by this much. */
const BETTER = 1.05;

/** How close the search comes, in pixels. */
const CLOSE = 1;

/**
 * @typedef {object} Fitted
 * @property {HTMLElement} element which is given `--unit` and `data-arrangement`
 * @property {HTMLElement[]} parts what must not overflow
 * @property {string[]} arrangements the names of those to choose from, the favourite first
 * @property {string} arrangement
 * @property {number} unit 0: not known yet
 */

/**
 * Give a stage the arrangement and the largest measure with which nothing in it overflows.
 * @param {Fitted} stage
 */
export function fit(stage) {
  if (!stage.element.isConnected || !stage.element.clientHeight) return;
  if (!isSettled(stage)) settle(stage);
  hasRoom(stage, stage.arrangement, stage.unit);
}

/** @param {Fitted} stage */
function isSettled(stage) {
  const { unit, arrangement } = stage;
  if (!unit || !stage.arrangements.includes(arrangement) || !hasRoom(stage, arrangement, unit)) return false;
  return unit >= MOST || !hasRoom(stage, arrangement, unit * GROWS);
}

/** @param {Fitted} stage */
function settle(stage) {
  const guess = stage.unit;
  stage.arrangement = stage.arrangements[stage.arrangements.length - 1]; // where nothing has room, and one must scroll
  stage.unit = 0;
  for (const arrangement of stage.arrangements) {
    const wanted = Math.max(LEAST, stage.unit * BETTER);
    if (wanted > MOST || !hasRoom(stage, arrangement, wanted)) continue;
    stage.arrangement = arrangement;
    stage.unit = largest((unit) => hasRoom(stage, arrangement, unit), wanted, guess);
  }
  stage.unit ||= LEAST;
}

/**
 * @param {(unit: number) => boolean} hasRoom
 * @param {number} low with which there is room
 * @param {number} guess
 */
function largest(hasRoom, low, guess) {
  let high = MOST;
  let next = guess > low && guess < high ? guess : (low + high) / 2;
  while (high - low > CLOSE) {
    if (hasRoom(next)) low = next;
    else high = next;
    next = (low + high) / 2;
  }
  return Math.floor(low);
}

/**
 * Whether nothing overflows if a stage is laid out like this.
 * @param {Fitted} stage
 * @param {string} arrangement
 * @param {number} unit
 */
function hasRoom({ element, parts }, arrangement, unit) {
  element.dataset.arrangement = arrangement;
  element.style.setProperty("--unit", `${unit}px`);
  return parts.every((part) => part.scrollHeight <= part.clientHeight + 1 && part.scrollWidth <= part.clientWidth + 1);
}

/**
 * Fit a stage again whenever its room changes; anew, when the whole page has changed.
 * @param {Fitted} stage
 */
export function keepFitting(stage) {
  const watch = new ResizeObserver((changes) => {
    if (changes.some(({ target }) => target === stage.element)) stage.unit = 0;
    fit(stage);
  });
  for (const part of [stage.element, ...stage.parts]) watch.observe(part);
  stage.element.addEventListener("toggle", () => fit(stage), true); // something was folded or unfolded
}
