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
 * @property {number} frame before which it is to be fitted; 0: none
 * @property {boolean} isShown whether it has been on the page for a frame
 */

/**
 * Fit a stage when all that a message changes has been changed: laid out at once, it has a start on the next frame. A stage
 * that is only being opened is fitted just before its first frame, when everything around it is there.
 * @param {Fitted} stage
 */
export function fitSoon(stage) {
  if (!stage.first) recall(stage);
  if (stage.frame) return;
  stage.frame = requestAnimationFrame(() => fit(stage));
  if (stage.isShown) queueMicrotask(() => stage.frame && fit(stage));
}

/**
 * Give a stage the arrangement and the largest measure with which nothing in it overflows.
 * @param {Fitted} stage
 */
export function fit(stage) {
  cancelAnimationFrame(stage.frame);
  stage.frame = 0;
  if (!stage.element.isConnected || !stage.element.clientHeight) return;
  stage.isShown = true;
  const arrangements = arrangementsOf(stage.parts[0].firstElementChild);
  const now = stage.element.dataset.arrangement ?? "";
  const isKnown = stage.unit && arrangements.includes(now);
  if (!isKnown || !isSettled(stage, now)) settle(stage, arrangements, isKnown ? now : undefined);
}

/**
 * What is kept of a stage with such a crowd in a window of this size. Its own size is not asked for: it would have to be
 * laid out for that.
 * @param {Fitted} stage
 */
const memoryOf = (stage) => `fit ${document.body.dataset.game} ${innerWidth} ${innerHeight} ${crowdOn(stage)}`;

/**
 * Begin with what such a stage was given last: a table that is opened again is not tried out again, and laid out once.
 * @param {Fitted} stage
 */
function recall(stage) {
  const [unit, ...arrangement] = (kept(memoryOf(stage)) ?? "").split(" ");
  if (!unit) return;
  stage.unit = stage.first = Number(unit);
  lay(stage, arrangement.join(" "), stage.unit);
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
 * @param {string} [crowded] the arrangement that has no room with the present measure
 */
function settle(stage, arrangements, crowded) {
  stage.element.toggleAttribute("data-fitting", crowded === undefined); // what lies within cards is not laid out meanwhile
  let [best, largest] = tryOut(stage, arrangements, crowded);
  stage.element.removeAttribute("data-fitting");
  if (!hasRoom(stage, best, largest || LEAST)) [best, largest] = tryOut(stage, arrangements, crowded);
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
 * @param {string} [crowded] the arrangement that has no room with the present measure
 * @returns {[arrangement: string, unit: number]}
 */
function tryOut(stage, arrangements, crowded) {
  let [best, largest] = [arrangements[arrangements.length - 1], 0]; // where nothing has room, one scrolls
  for (const arrangement of arrangements) {
    const wanted = Math.max(LEAST, largest * BETTER);
    const fits = (/** @type {number} */ unit) => hasRoom(stage, arrangement, unit);
    const found =
      arrangement === crowded ? shrink(stage, arrangement, wanted) : fits(wanted) && search(fits, wanted, MOST);
    if (found) [best, largest] = [arrangement, Math.floor(found)];
  }
  return [best, largest];
}

/**
 * A measure with which there is room, and hardly a larger one: 0 if there is none. What overflows says how much too large the
 * present one is, so that one or two trials are enough.
 * @param {Fitted} stage
 * @param {string} arrangement
 * @param {number} least
 */
function shrink(stage, arrangement, least) {
  const fits = (/** @type {number} */ unit) => hasRoom(stage, arrangement, unit);
  let high = stage.unit;
  while (!fits(high)) {
    if (high <= least) return 0;
    const next = Math.floor(Math.max(least, Math.min(high / CLOSE, high * shareInSight(stage))));
    if (high > next * GROWS && fits(next)) return search(fits, next, high);
    high = next;
  }
  return high;
}

/**
 * How much of what lies on a stage has room there, as a share.
 * @param {Fitted} stage
 */
const shareInSight = ({ parts }) =>
  Math.min(
    ...parts
      .filter(({ hidden }) => !hidden)
      .flatMap((part) => [part.clientHeight / part.scrollHeight, part.clientWidth / part.scrollWidth]),
  );

/**
 * The largest measure with which there is room, between one that is small enough and one that is too large.
 * @param {(unit: number) => boolean} fits
 * @param {number} low
 * @param {number} high
 */
function search(fits, low, high) {
  while (high > low * CLOSE) {
    const next = Math.sqrt(low * high);
    if (fits(next)) low = next;
    else high = next;
  }
  return low;
}

/**
 * Whether nothing overflows if a stage is laid out like this.
 * @param {Fitted} stage
 * @param {string} arrangement
 * @param {number} unit
 */
function hasRoom(stage, arrangement, unit) {
  lay(stage, arrangement, unit);
  return stage.parts.every(
    (part) => part.scrollHeight <= part.clientHeight + 1 && part.scrollWidth <= part.clientWidth + 1,
  );
}

/**
 * @param {Fitted} stage
 * @param {string} arrangement
 * @param {number} unit
 */
function lay({ element }, arrangement, unit) {
  const measure = `${unit}px`;
  if (element.dataset.arrangement !== arrangement) element.dataset.arrangement = arrangement;
  if (element.style.getPropertyValue("--unit") !== measure) element.style.setProperty("--unit", measure);
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
