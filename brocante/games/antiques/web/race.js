/** The race for the bonus cards: how many of each category are in every Hoard, on show, and out of sight. */

import { h } from "../../base/dom.js";
import { say } from "../../base/words.js";
import { markOf, playerMark } from "../../table/players.js";
import { holding, unfolder } from "../../table/unfold.js";

/** @import { Race } from "../../base/wire.js" */
/** @import { Scene } from "../../table/scene.js" */

/**
 * All bonus cards; where there is no room for them a strip of their signs, which unfolds them.
 * @param {Scene} scene
 */
export function race(scene) {
  const { races } = scene.view.table;
  return h(
    "section.race",
    { "data-key": "race", "data-zone": "races", "aria-label": say("antiques.race"), ...holding("race") },
    h("h3.zone-title", null, say("antiques.race"), " ", legend()),
    h(
      "div.bonuses",
      null,
      legend(),
      h(
        "ul",
        null,
        races.map((bonus) => bonusCard(scene, bonus)),
      ),
    ),
    unfolder(
      "race",
      "all",
      { class: "strip", "data-folds": true },
      h("span.for-ears", null, say("antiques.race")),
      races.map((bonus) => inShort(scene, bonus)),
    ),
  );
}

const legend = () =>
  h(
    "span.legend",
    { "aria-hidden": "true" },
    h("span.on-show", null, say("antiques.on_show")),
    h("span.unseen", null, say("antiques.unseen")),
  );

/**
 * A bonus card in short: its sign, and how many the viewer has; for others what it is worth.
 * @param {Scene} scene
 * @param {Race} bonus
 */
const inShort = (scene, { mark, points, counts }) =>
  h(
    "span.in-short",
    { "data-key": mark.name, class: `ink-${mark.ink}`, "aria-hidden": "true" },
    h("span.emblem", null, mark.sign),
    h("b", null, counts[scene.me] ?? points),
  );

/**
 * @param {Scene} scene
 * @param {Race} bonus
 */
function bonusCard(scene, bonus) {
  const { mark, points, open, left } = bonus;
  const words = inWords(scene, bonus);
  return h(
    "li.bonus",
    { "data-key": mark.name, "data-tip": words, class: `ink-${mark.ink} ${bonus.winner === null ? "" : "decided"}` },
    h("span.for-ears", null, words),
    h("span.emblem", { "aria-hidden": "true" }, mark.sign),
    h("b.points", { "aria-hidden": "true" }, points),
    h("span.of", { "aria-hidden": "true" }, mark.name),
    h(
      "span.hoarded",
      { "aria-hidden": "true" },
      counted(bonus).map(({ seat, n }) =>
        h("span", { class: seat === bonus.winner ? "won" : "" }, playerMark(scene.view, seat), n),
      ),
    ),
    h("span.around", { "aria-hidden": "true" }, h("span.on-show", null, open), h("span.unseen", null, left)),
    track(scene, bonus),
  );
}

/**
 * The players whose items the viewer may count.
 * @param {Race} bonus
 */
const counted = ({ counts }) => counts.flatMap((n, seat) => (n === null ? [] : [{ seat, n }]));

/**
 * All items of a category as a strip: a part for every Hoard, one for what is on show, one for the rest.
 * @param {Scene} scene
 * @param {Race} bonus
 */
function track({ view }, bonus) {
  const part = (/** @type {string} */ key, /** @type {string} */ look, /** @type {number} */ n) =>
    h("i", { "data-key": key, class: look, style: { "flex-grow": n } });
  const hoarded = counted(bonus).map(({ seat, n }) => part(`of-${seat}`, `of ink-${markOf(view, seat).ink}`, n));
  const besides = [part("on-show", "on-show", bonus.open), part("unseen", "unseen", bonus.left)];
  return h("span.track", { "aria-hidden": "true" }, hoarded, besides);
}

/**
 * @param {Scene} scene
 * @param {Race} bonus
 */
function inWords({ info }, bonus) {
  const { mark, points, open, left, winner } = bonus;
  const name = (/** @type {number} */ seat) => info.seats[seat]?.name ?? "";
  return [
    say("antiques.bonus", { name: mark.name, points: say("player.points", { n: points }) }),
    ...counted(bonus).map(({ seat, n }) => `${name(seat)} ${n}`),
    `${open} ${say("antiques.on_show")}`,
    `${left} ${say("antiques.unseen")}`,
    winner !== null && winner >= 0 && say("antiques.won", { who: name(winner) }),
  ]
    .filter(Boolean)
    .join(" · ");
}
