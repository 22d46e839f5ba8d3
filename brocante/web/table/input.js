/** Input at the table: a click, a tap, a drag or a key makes the move that lies on a piece. */

import { h } from "../base/dom.js";
import { findFocus, visible } from "../base/focus.js";
import { say } from "../base/words.js";
import { labels, spelled } from "./scene.js";
import { hideTip, showTip } from "./tips.js";

/** @import { Move } from "../base/wire.js" */
/** @import { Scene } from "./scene.js" */

/** Pixels that a pointer moves before it drags something. */
const DRAG = 8;
/** Milliseconds within which the second of two clicks on a spot is not meant for what has come there since the first. */
const DOUBLE = 350;
/** Milliseconds within which the space bar, pressed again, does not press what the focus has gone to since. */
const AGAIN = 1500;

/**
 * @typedef {object} Handlers
 * @property {() => Scene | null} scene what is shown; null while nothing can be done
 * @property {(move: Move, place: Element) => void} play make a move, or the first choice of one, at an element
 * @property {() => void} cancel cancel a move of which the first choices are made
 */

/** @param {Element} element @returns {Move[]} */
const movesOn = (element) => JSON.parse(element.getAttribute("data-moves") ?? "[]");

/** @param {EventTarget | null} target */
const touched = (target) => (target instanceof Element ? target.closest("[data-moves]") : null);

/**
 * What a click would mean.
 * @param {EventTarget | null} target
 */
const meant = (target) => {
  const thing = target instanceof Element ? target.closest("[data-moves], [data-key]") : null;
  return thing?.getAttribute("data-moves") ?? thing?.getAttribute("data-key") ?? "";
};

/**
 * Listen to clicks, taps and drags below an element.
 * @param {HTMLElement} root
 * @param {Handlers} handlers
 * @returns {() => void} stop listening
 */
export function listenForPointer(root, handlers) {
  /** @type {{ piece: Element, x: number, y: number, ghost: HTMLElement | null } | null} */
  let held = null;
  let dragged = false;
  let first = { means: "", at: 0 }; // of several clicks on the same spot

  const ignoreStray = (/** @type {MouseEvent} */ event) => {
    const [means, at] = [meant(event.target), event.timeStamp];
    if (event.detail < 2 || at - first.at > DOUBLE) first = { means, at };
    else if (means !== first.means) (event.stopPropagation(), event.preventDefault());
  };
  root.addEventListener("click", (event) => {
    const piece = touched(event.target);
    if (!piece || dragged) return void (dragged = false);
    press(piece, handlers);
  });
  root.addEventListener("pointerdown", (event) => {
    dragged = false;
    const piece = touched(event.target);
    if (piece && event.button === 0 && movesOn(piece).length)
      held = { piece, x: event.clientX, y: event.clientY, ghost: null };
  });
  root.addEventListener("dragstart", (event) => event.preventDefault());
  const drag = (/** @type {PointerEvent} */ event) => {
    if (!held) return;
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.ghost && Math.hypot(dx, dy) > DRAG) held.ghost = lifted(held.piece);
    if (held.ghost) held.ghost.style.translate = `${dx}px ${dy}px`;
  };
  const letGo = (/** @type {PointerEvent} */ event) => {
    if (held?.ghost) {
      held.ghost.remove();
      held.piece.classList.remove("lifted");
      dragged = true;
      setTimeout(() => (dragged = false)); // a click follows only if it is dropped on the same element
      if (event.type === "pointerup")
        drop(held.piece, document.elementFromPoint(event.clientX, event.clientY), handlers);
    }
    held = null;
  };
  const stopped = new AbortController();
  addEventListener("click", ignoreStray, { capture: true, signal: stopped.signal });
  addEventListener("pointermove", drag, stopped);
  addEventListener("pointerup", letGo, stopped);
  addEventListener("pointercancel", letGo, stopped);
  return () => stopped.abort();
}

/**
 * @param {Element} piece
 * @param {Handlers} handlers
 */
function press(piece, handlers) {
  const moves = movesOn(piece);
  if (moves.length === 1) handlers.play(moves[0], piece);
  else if (moves.length) openMenu(piece, moves, handlers);
  else showTip(piece);
}

/** @param {Element} piece */
function lifted(piece) {
  const there = piece.getBoundingClientRect();
  const ghost = /** @type {HTMLElement} */ (piece.cloneNode(true));
  ghost.classList.add("ghost");
  for (const [property, value] of Object.entries({
    left: there.left,
    top: there.top,
    width: there.width,
    height: there.height,
  })) {
    ghost.style.setProperty(property, `${value}px`);
  }
  ghost.removeAttribute("data-key");
  ghost.removeAttribute("data-moves");
  document.body.append(ghost);
  piece.classList.add("lifted");
  hideTip();
  return ghost;
}

/**
 * A piece was dropped on a place that takes such a move, or on another piece that can be clicked.
 * @param {Element} piece
 * @param {Element | null} under
 * @param {Handlers} handlers
 */
function drop(piece, under, handlers) {
  const taker = under?.closest("[data-takes]");
  const taken = (taker?.getAttribute("data-takes") ?? "").split(" ");
  const other = touched(under);
  const there = new Set(other ? movesOn(other).map(spelled) : []);
  const shared = movesOn(piece).filter((move) => there.has(spelled(move))); // moves from one to the other
  const move = shared.length === 1 ? shared[0] : movesOn(piece).find((candidate) => taken.includes(candidate.move));
  if (other === piece) return;
  if (move) handlers.play(move, piece);
  else if (other && areaOf(other) !== areaOf(piece)) press(other, handlers); // not a neighbour
}

/**
 * The part of the table where a piece lies: "0.row" for "0.row.3".
 * @param {Element} piece
 */
const areaOf = (piece) => (piece.getAttribute("data-pile") ?? "").split(".", 2).join(".");

/**
 * Open a menu of the moves that lie on a piece.
 * @param {Element} piece
 * @param {Move[]} moves
 * @param {Handlers} handlers
 */
function openMenu(piece, moves, handlers) {
  const scene = handlers.scene();
  if (!scene) return;
  const menu = /** @type {HTMLDialogElement} */ (
    h(
      "dialog.which",
      { "aria-label": say("table.which"), onclose: () => (menu.remove(), findFocus()) },
      moves.map((move) =>
        h(
          "button",
          { type: "button", onclick: () => (menu.close(), handlers.play(move, piece)) },
          labels(scene, [move])[0] ?? "",
        ),
      ),
    )
  );
  menu.addEventListener("click", (event) => event.target === menu && menu.close()); // outside the menu
  document.body.append(menu);
  menu.showModal();
  const [there, size] = [piece.getBoundingClientRect(), menu.getBoundingClientRect()];
  menu.style.left = `${Math.max(4, Math.min(there.left, innerWidth - size.width - 4))}px`;
  menu.style.top = `${Math.max(4, Math.min(there.bottom, innerHeight - size.height - 4))}px`;
}

/**
 * Listen to keys: those of the offers, arrows from piece to piece, Escape to cancel.
 * @param {Handlers} handlers
 * @param {Record<string, string>} besides what other keys do: they press the button that does it (its data-do)
 * @returns {() => void} stop listening
 */
export function listenForKeys(handlers, besides) {
  let spaced = -AGAIN; // when the space bar last did something of its own, or a piece got the focus after that
  let isLast = false; // that was the last key
  const listen = (/** @type {KeyboardEvent} */ event) => {
    const at = event.target instanceof HTMLElement ? event.target : document.body;
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      at.matches("input, textarea, select") ||
      document.querySelector("dialog:modal")
    )
      return;
    const isSpace = event.key === " ";
    isLast &&= isSpace;
    if (isSpace && at.closest("[data-moves], #choices") && event.timeStamp - spaced < AGAIN) {
      spaced = event.timeStamp;
      return event.preventDefault();
    }
    if (isSpace || event.key === "Enter") {
      if (at.closest("button, a, summary")) return; // the browser clicks it
      if (at.matches(".piece")) {
        event.preventDefault();
        if (!event.repeat) at.click(); // a key that is held down makes one move
        return;
      }
    }
    if (isSpace) [spaced, isLast] = [event.timeStamp, true];
    const offer = handlers
      .scene()
      ?.view.offers.find((candidate) => candidate.key && candidate.key === event.key.toLowerCase());
    if (offer) handlers.play(offer.move, placeOf(offer.move));
    else if (event.key === "Escape") handlers.cancel();
    else if (besides[event.key]) visible(`[data-do=${besides[event.key]}]`)[0]?.click();
    else if (event.key.startsWith("Arrow") && (at.matches("[data-moves]") || !at.closest("[data-scrolls]")))
      step(at, event.key);
    else return;
    event.preventDefault();
  };
  const stop = new AbortController();
  addEventListener("keydown", listen, stop);
  addEventListener("focusin", ({ timeStamp }) => isLast && (spaced = timeStamp), stop);
  return () => stop.abort();
}

/**
 * Where a move could be clicked: the piece that makes this move alone, or else the prompt.
 * @param {Move} move
 */
const placeOf = (move) =>
  visible("[data-moves]").find((thing) => thing.getAttribute("data-moves") === JSON.stringify([move])) ??
  visible("#prompt")[0];

/**
 * Focus the nearest piece in a direction, or else the next one; from outside, the first one.
 * @param {HTMLElement} from
 * @param {string} key
 */
function step(from, key) {
  const things = visible("#play [data-moves], #choices button"); // not in the folded list of all moves
  if (!things.includes(from)) return things.find((thing) => thing.getAttribute("aria-disabled") !== "true")?.focus();
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [0, 0];
  const [x, y] = middle(from);
  let [best, nearest] = [/** @type {HTMLElement | null} */ (null), Infinity];
  for (const thing of things) {
    const [tx, ty] = middle(thing);
    const along = (tx - x) * dx + (ty - y) * dy;
    const aside = Math.abs((tx - x) * dy) + Math.abs((ty - y) * dx);
    const distance = along + 2.5 * aside;
    if (along > 2 && distance < nearest) [best, nearest] = [thing, distance];
  }
  best ??= things[things.indexOf(from) + (dx + dy)] ?? null;
  best?.focus();
}

/** @param {Element} element */
function middle(element) {
  const there = element.getBoundingClientRect();
  return [there.left + there.width / 2, there.top + there.height / 2];
}
