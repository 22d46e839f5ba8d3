/** Dice: a rolled die tumbles over the table, and lies there for a moment. */

import { h, s } from "../base/dom.js";
import { pace } from "../base/settings.js";
import { playSound } from "../base/sounds.js";

/** The positions of the pips on each face, in thirds. @type {[number, number][][]} */
const PIPS = [
  [],
  [[1, 1]],
  [
    [0, 0],
    [2, 2],
  ],
  [
    [0, 0],
    [1, 1],
    [2, 2],
  ],
  [
    [0, 0],
    [0, 2],
    [2, 0],
    [2, 2],
  ],
  [
    [0, 0],
    [0, 2],
    [1, 1],
    [2, 0],
    [2, 2],
  ],
  [
    [0, 0],
    [0, 1],
    [0, 2],
    [2, 0],
    [2, 1],
    [2, 2],
  ],
];

/** @param {number} value */
export function rollDie(value) {
  const time = document.hidden ? 0 : pace();
  if (!time) return; // the log says it too
  const die = h("div.die", { "aria-hidden": "true" }, face(value));
  document.body.append(die);
  playSound("die");
  die
    .animate(
      [
        { rotate: "-280deg", translate: "-38vw 12vh", opacity: 0 },
        { rotate: "-140deg", translate: "-14vw -8vh", opacity: 1, offset: 0.25 },
        { rotate: "12deg", translate: "0 0", offset: 0.45 },
        { rotate: "0deg", translate: "0 0", opacity: 1, offset: 0.85 },
        { rotate: "0deg", translate: "0 0", opacity: 0 },
      ],
      { duration: time * 3.5, easing: "ease-out" },
    )
    .finished.finally(() => die.remove());
}

/** @param {number} value */
function face(value) {
  const pips = (PIPS[value] ?? []).map(([x, y]) => s("circle", { cx: 16 + 16 * x, cy: 16 + 16 * y, r: 5.5 }));
  return s("svg", { viewBox: "0 0 64 64" }, s("rect", { x: 3, y: 3, width: 58, height: 58, rx: 10 }), ...pips);
}
