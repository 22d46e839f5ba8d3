/** The stage on which a game is shown: the table, the line that says what is asked, what may be done, one's own hand. */

import { away, reach } from "../base/api.js";
import { learnArt } from "../base/art.js";
import { become, h } from "../base/dom.js";
import { say } from "../base/words.js";
import { animate } from "./animation.js";
import { flightsBetween } from "./flights.js";
import { spelled } from "./scene.js";
import { hide } from "./tips.js";
import * as general from "./default_drawing.js";

/** @import { Child } from "../base/dom.js" */
/** @import { Offer, View } from "../base/wire.js" */
/** @import { Flight } from "./flights.js" */
/** @import { Scene } from "./scene.js" */

/**
 * How a game is drawn.
 * @typedef {object} Drawing
 * @property {(scene: Scene) => DrawnTable} draw
 * @property {(before: View, after: View) => Flight[]} [flights]
 *   what moves, where it is not simply cards that change places
 * @property {(card: HTMLElement) => void} [adorn] draw on the reference card
 */

/**
 * @typedef {object} DrawnTable
 * @property {HTMLElement} table
 * @property {HTMLElement | null} hand
 * @property {HTMLElement | null} [choices] the offers that have no place on the table, where buttons would not do
 */

/**
 * The drawing of a game, with its style and its pictures.
 * @param {string} game
 * @returns {Promise<Drawing>}
 */
export async function drawingOf(game) {
  const file = (/** @type {string} */ kind) => new URL(`../games/${game}/table.${kind}`, import.meta.url).href;
  const style = document.querySelector(`link[data-game="${CSS.escape(game)}"]`) ?? learnStyle(game, file("css"));
  const drawn = import(file("js")).catch(() => unlessAway(file("js"), general));
  return (await Promise.all([drawn, learnArt(game), style]))[0];
}

/**
 * @param {string} game
 * @param {string} href
 */
function learnStyle(game, href) {
  return new Promise((resolve) => {
    const failed = () => (link.remove(), resolve(unlessAway(href, null)));
    const link = h("link", { rel: "stylesheet", href, "data-game": game, onload: resolve, onerror: failed });
    document.head.append(link);
  });
}

/**
 * A game need not bring everything, and is then shown without it; that nobody answers is another matter.
 * @template T
 * @param {string} url of what could not be had
 * @param {T} instead
 * @returns {Promise<T>}
 */
const unlessAway = (url, instead) =>
  reach(url, { method: "HEAD" }, async ({ status }) => {
    if (status !== 404) throw away();
    return instead;
  });

export class Stage {
  /** @param {Drawing} drawing */
  constructor(drawing) {
    this.drawing = drawing;
    this.table = h("section#table", { "aria-label": say("table.label"), "data-scrolls": true, tabindex: "0" });
    this.prompt = h("p#prompt", { role: "status", "aria-live": "polite", tabindex: "-1" });
    this.choices = h("div#choices");
    this.bar = h("section#bar", { "aria-label": say("table.asked") }, this.prompt, this.choices);
    this.hand = h("section#hand", { "aria-label": say("table.yours") });
    this.legal = h("div#legal");
    this.moves = h("details#moves", null, h("summary", null, say("table.all_moves")), this.legal);
    this.element = h("main#play", null, this.table, this.bar, this.hand);
    /** @type {Scene | null} */
    this.scene = null;
  }

  /**
   * Show the table as it stands, and what may be done; what changed place moves there.
   * @param {Scene} scene
   * @param {Child[]} [besides] what can be done besides moves
   * @param {{ still?: boolean }} [how] still: nothing moves, because every second counts
   */
  show(scene, besides = [], { still = false } = {}) {
    if (this.scene && !this.element.isConnected) return; // the page was left meanwhile
    const before = this.scene?.view;
    this.scene = scene;
    document.body.dataset.game = scene.view.game;
    if (still || !before || before.viewer !== scene.view.viewer) return this.render(scene, besides);
    return animate(this.flights(before, scene.view), () => this.render(scene, besides));
  }

  /**
   * @param {View} before
   * @param {View} after
   */
  flights(before, after) {
    return this.drawing.flights ? this.drawing.flights(before, after) : flightsBetween(before.table, after.table);
  }

  /**
   * @param {Scene} scene
   * @param {Child[]} besides
   */
  render(scene, besides) {
    hide(); // what was said of the things that lay here
    this.moves.hidden = !scene.view.offers.length;
    const drawn = this.drawing.draw(scene);
    become(this.table, drawn.table);
    become(this.hand, drawn.hand);
    this.hand.hidden = !drawn.hand;
    if (this.prompt.textContent !== scene.view.prompt) this.prompt.textContent = scene.view.prompt;
    const own = drawn.choices ?? unplaced(scene.view).map(offerButton);
    become(this.choices, h("div.row", null, own, besides));
    become(
      this.legal,
      h(
        "ul",
        null,
        scene.view.offers.map((offer) => h("li", null, offerButton(offer))),
      ),
    );
  }
}

/**
 * The offers whose moves lie nowhere on the table, and those that have a button all the same.
 * @param {View} view
 * @param {string[]} [besides] the names of those moves
 */
export function unplaced(view, besides = []) {
  const { centre, board, places } = view.table;
  const zones = [...centre, ...board, ...places.flatMap((place) => place.zones)];
  const placed = new Set(zones.flatMap((zone) => [zone, ...zone.stacks].flatMap(({ moves }) => moves.map(spelled))));
  return view.offers.filter((offer) => besides.includes(offer.move.move) || !placed.has(spelled(offer.move)));
}

/** @param {Offer} offer */
export function offerButton(offer) {
  return h(
    "button",
    { type: "button", "data-key": spelled(offer.move), "data-moves": JSON.stringify([offer.move]) },
    offer.label,
    offer.key && h("kbd", { "aria-hidden": "true" }, offer.key),
  );
}
