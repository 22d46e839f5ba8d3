/** Players: their marks, and nameplates with score, clock and presence. */

import { sign } from "../base/art.js";
import { h } from "../base/dom.js";
import { clockTime, figure, say } from "../base/words.js";

/** @import { Now, TableInfo, View } from "../base/wire.js" */
/** @import { Scene } from "./scene.js" */

/** A sign and an ink for each seat, if the game has none of its own. */
const SIGNS = ["●", "▲", "■", "★", "◆", "✚"];
const INKS = ["river", "tomato", "mustard", "olive", "wine", "ink"];

/**
 * The sign and the ink of a player.
 * @param {View | null} view
 * @param {number} seat
 */
export function markOf(view, seat) {
  const mark = view?.table.places[seat]?.mark;
  return { sign: mark?.sign ?? SIGNS[seat] ?? "", ink: mark?.ink ?? INKS[seat] ?? "ink" };
}

/**
 * @param {View | null} view
 * @param {number} seat
 */
export function playerMark(view, seat) {
  const mark = markOf(view, seat);
  return h("span.player-mark", { class: `ink-${mark.ink}`, "aria-hidden": "true" }, mark.sign);
}

/**
 * A line about a player, at their place on the table.
 * @param {Scene} scene
 * @param {number} seat
 */
export function nameplate(scene, seat) {
  const { view, info, now } = scene;
  const person = info.seats[seat];
  const asked = info.phase === "playing" && (now.asked ?? []).includes(seat);
  const onTurn = info.phase === "playing" && turnOf(scene) === seat;
  const place = view.table.places[seat];
  const left = now.left?.[seat];
  const [turnSays, askedSays] =
    seat === scene.me
      ? [say("player.your_turn"), say("player.you_decide")]
      : [say("player.on_turn"), say("player.thinking")];
  return h(
    "div.nameplate",
    { "data-key": `plate-${seat}`, class: `${asked ? "asked" : ""} ${onTurn ? "on-turn" : ""}`, "data-seat": seat },
    onTurn && h("span.turn-mark", { "data-tip": turnSays, role: "img", "aria-label": turnSays }),
    playerMark(view, seat),
    h("span.player-name", null, person?.name ?? ""),
    seat === scene.me && h("span.you", null, say("player.you")),
    person?.resigned && h("span.gave-up", null, say("player.gave_up")),
    ...states(scene, seat).map(({ name, picture }) =>
      h("span.state", { "data-tip": name, role: "img", "aria-label": name }, sign(picture)),
    ),
    left !== undefined &&
      left !== null &&
      h("span.clock", { "data-clock": seat, class: asked && !info.paused ? "running" : "" }, clockTime(left)),
    place &&
      (place.in_words ?? place.score) !== null &&
      h(
        "span.score",
        { "data-score": seat, "data-points": place.score ?? 0, "data-figure": figure(place.score ?? 0) },
        place.in_words ?? say("player.points", { n: place.score ?? 0 }),
      ),
    asked &&
      h("span.thinking", { "data-tip": askedSays, role: "img", "aria-label": askedSays }, h("i"), h("i"), h("i")),
  );
}

/**
 * Whose turn it is. Others may be asked in the course of it; where nothing says so, it is the turn of the one who decides.
 * @param {Scene} scene
 */
const turnOf = ({ view, now }) => (now.window === undefined ? (now.turn ?? view.actor) : now.turn);

/**
 * What signs say of a player: winner, bot, resigned, away.
 * @param {Scene} scene
 * @param {number} seat
 */
function states({ info, view }, seat) {
  const person = info.seats[seat];
  const found = [];
  if (view.result?.winners.includes(seat)) found.push({ name: say("player.winner"), picture: "crown" });
  if (person?.kind === "bot")
    found.push({ name: say("player.bot", { bot: botInWords(person.bot) }), picture: "robot" });
  if (person?.resigned) found.push({ name: say("player.resigned"), picture: "flag" });
  else if (person?.kind === "person" && person.away) found.push({ name: say("player.away"), picture: "away" });
  return found;
}

/**
 * How a bot plays, in words.
 * @param {string} bot
 */
export const botInWords = (bot) => (["random", "greedy"].includes(bot) ? say(`home.bot_${bot}`) : bot);

/**
 * Why a game ended before its end: empty where nobody gave up.
 * @param {TableInfo} info
 */
export function whyItEnded({ ended_by: seat, ended_by_operator: isClosed, seats }) {
  if (isClosed) return say("player.ended_by_operator");
  return seat === null ? "" : say("player.ended_by", { who: seats[seat].name });
}

/**
 * Advance the running clocks between two messages.
 * @param {() => Now} now
 * @param {() => number} since milliseconds since that was received
 */
export function tickClocks(now, since) {
  for (const clock of document.querySelectorAll(".clock.running")) {
    const left = now().left?.[Number(clock.getAttribute("data-clock"))];
    if (left === undefined || left === null) continue;
    const seconds = left - since() / 1000;
    clock.textContent = clockTime(seconds);
    clock.classList.toggle("hurry", seconds < 10);
  }
}
