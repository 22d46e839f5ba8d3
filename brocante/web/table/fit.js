/**
 * The layout engine: every length on the stage is a multiple of one measure, `--unit`, the width of a card in the hand, and
 * the measure is the largest with which everything has room. How things stand beside each other is for media and container
 * queries, or for the engine: of the arrangements that a game's style names (`--arrangements: wide, tall stacked`, the
 * favourite first), it takes the one with the largest measure, and sets `data-arrangement` of the stage.
 */

const [LEAST, MOST] = [44, 260]; // pixels

/** A measure that had to shrink stays so unless it can grow by this much: cards that change size all the time cannot be read. */
const GROWS = 1.12;

/** An arrangement is preferred to those named before it if the measure grows by this much. */
const BETTER = 1.05;

/** How close the search comes. Every step of it lays the whole stage out. */
const CLOSE = 1.03;

/**
 * @typedef {object} Fitted
 * @property {HTMLElement} element which is given `--unit` and `data-arrangement`
 * @property {HTMLElement[]} parts what must not overflow; the first holds what the game's style names arrangements for
 * @property {number} unit 0: not known yet
 * @property {number} first the measure before anything had to shrink
 * @property {number} crowd how many elements there were when that was too large
 */

/**
 * Give a stage the arrangement and the largest measure with which nothing in it overflows.
 * @param {Fitted} stage
 */
export function fit(stage) {
  if (!stage.element.isConnected || !stage.element.clientHeight) return;
  const arrangements = arrangementsOf(stage.parts[0].firstElementChild);
  if (!stage.first) recall(stage);
  const now = stage.element.dataset.arrangement ?? "";
  if (!stage.unit || !arrangements.includes(now) || !isSettled(stage, now)) settle(stage, arrangements);
}

/**
 * What a stage of this size and crowd was given last: a table that is opened again is not tried out again.
 * @param {Fitted} stage
 */
const memoryOf = (stage) => {
  const { clientWidth, clientHeight } = stage.element;
  return `fit ${document.body.dataset.game} ${clientWidth} ${clientHeight} ${crowdOn(stage)}`;
};

/** @param {Fitted} stage */
function recall(stage) {
  const [unit, ...arrangement] = (kept(memoryOf(stage)) ?? "").split(" ");
  if (!unit) return;
  stage.unit = stage.first = Number(unit);
  stage.element.dataset.arrangement = arrangement.join(" ");
}

/**
 * Keep something for as long as the tab is open, or find what was kept.
 * @param {string} key
 * @param {string} [value]
 */
function kept(key, value) {
  try {
    if (value === undefined) return sessionStorage.getItem(key);
    sessionStorage.setItem(key, value);
  } catch {
    // without storage, every stage is tried out
  }
  return null;
}

/** @param {Element | null} drawn */
function arrangementsOf(drawn) {
  const names = drawn ? getComputedStyle(drawn).getPropertyValue("--arrangements") : "";
  return names.split(",").map((name) => name.trim());
}

/**
 * @param {Fitted} stage
 * @param {string} arrangement
 */
function isSettled(stage, arrangement) {
  if (!hasRoom(stage, arrangement, stage.unit)) return false;
  if (stage.first < stage.unit * GROWS || crowdOn(stage) >= stage.crowd) return true;
  stage.crowd = crowdOn(stage);
  if (hasRoom(stage, arrangement, stage.first)) stage.unit = stage.first;
  return hasRoom(stage, arrangement, stage.unit);
}

/** @param {Fitted} stage */
const crowdOn = ({ parts }) => parts.reduce((all, part) => all + part.getElementsByTagName("*").length, 0);

/**
 * @param {Fitted} stage
 * @param {string[]} arrangements
 */
function settle(stage, arrangements) {
  stage.element.toggleAttribute("data-fitting", true); // what lies within cards is not laid out meanwhile
  let [best, largest] = tryOut(stage, arrangements);
  stage.element.removeAttribute("data-fitting");
  if (!hasRoom(stage, best, largest || LEAST)) [best, largest] = tryOut(stage, arrangements);
  if (!stage.unit) stage.first = largest;
  stage.unit = largest || LEAST;
  stage.crowd = crowdOn(stage);
  hasRoom(stage, best, stage.unit);
  kept(memoryOf(stage), `${stage.unit} ${best}`);
}

/**
 * The best arrangement, and its largest measure: 0 if none has room.
 * @param {Fitted} stage
 * @param {string[]} arrangements
 * @returns {[arrangement: string, unit: number]}
 */
function tryOut(stage, arrangements) {
  let [best, largest] = [arrangements[arrangements.length - 1], 0]; // where nothing has room, one scrolls
  for (const arrangement of arrangements) {
    const wanted = Math.max(LEAST, largest * BETTER);
    if (wanted > MOST || !hasRoom(stage, arrangement, wanted)) continue;
    best = arrangement;
    largest = search((unit) => hasRoom(stage, arrangement, unit), wanted, stage.unit);
  }
  return [best, largest];
}

/**
 * The largest measure with which there is room.
 * @param {(unit: number) => boolean} hasRoom
 * @param {number} low with which there is room
 * @param {number} guess
 */
function search(hasRoom, low, guess) {
  let high = MOST;
  let next = guess > low && guess < high ? guess : Math.sqrt(low * high);
  while (high > low * CLOSE) {
    if (hasRoom(next)) low = next;
    else high = next;
    next = Math.sqrt(low * high);
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
 * Fit a stage again whenever its room changes; anew, when the whole page has changed, or something was folded or unfolded.
 * @param {Fitted} stage
 */
export function keepFitting(stage) {
  let size = "";
  const anew = () => {
    stage.unit = 0;
    fit(stage);
  };
  const watch = new ResizeObserver(() => {
    const { clientWidth, clientHeight } = stage.element;
    const before = size;
    size = `${clientWidth} ${clientHeight}`;
    if (before && size !== before) anew();
    else fit(stage);
  });
  for (const part of [stage.element, ...stage.parts]) watch.observe(part);
  stage.element.addEventListener("toggle", anew, true);
}
