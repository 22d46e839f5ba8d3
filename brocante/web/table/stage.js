/** The stage on which a game is shown: the table, the prompt, what may be done, the player's hand. */

import { fetchFrom, unreachable } from "../base/api.js";
import { loadArt } from "../base/art.js";
import { become, h } from "../base/dom.js";
import { findFocus, noteFocus } from "../base/focus.js";
import { Kept } from "../base/kept.js";
import { say } from "../base/words.js";
import { animate } from "./animation.js";
import { fitSoon, keepFitting } from "./fit.js";
import "./look_closely.js";
import { flightsBetween } from "./moved_pieces.js";
import { drawFacesBy } from "./pieces.js";
import { spelled } from "./scene.js";
import { hideTip } from "./tips.js";

/** @import { Child } from "../base/dom.js" */
/** @import { Card, Offer, View } from "../base/wire.js" */
/** @import { Flight } from "./moved_pieces.js" */
/** @import { Scene } from "./scene.js" */

/**
 * How a game is drawn.
 * @typedef {object} Drawing
 * @property {(scene: Scene) => DrawnTable} draw
 * @property {(before: View, after: View) => Flight[]} [flights] what flies where, if cards that change piles are not all
 * @property {(card: Card) => HTMLElement | null} [face] the face of a card, if a plain one will not do
 * @property {(card: HTMLElement) => void} [adorn] draw on the reference card
 */

/**
 * @typedef {object} DrawnTable
 * @property {HTMLElement} table
 * @property {HTMLElement | null} hand
 * @property {HTMLElement | null} [choices] the offers that lie nowhere on the table, if plain buttons will not do
 */

const drawings = new Kept(loadDrawing);

/**
 * The drawing of a game, with its style and its pictures; loaded once.
 * @param {string} game
 */
export const drawingOf = (game) => drawings.get(game);

/**
 * @param {string} game
 * @returns {Promise<Drawing>}
 */
async function loadDrawing(game) {
  const file = (/** @type {string} */ kind) => new URL(`../games/${game}/table.${kind}`, import.meta.url).href;
  const style = document.querySelector(`link[data-game="${CSS.escape(game)}"]`) ?? loadStyle(game, file("css"));
  const drawn = import(file("js")).catch(async () => ifMissing(file("js"), await import("./default_drawing.js")));
  const [drawing] = await Promise.all([drawn, loadArt(game), style]);
  drawFacesBy(game, drawing.face);
  return drawing;
}

/**
 * @param {string} game
 * @param {string} href
 */
function loadStyle(game, href) {
  return new Promise((resolve) => {
    const failed = () => (link.remove(), resolve(ifMissing(href, null)));
    const link = h("link", { rel: "stylesheet", href, "data-game": game, onload: resolve, onerror: failed });
    document.head.append(link);
  });
}

/**
 * Do without a file that a game does not have; but fail if the server does not answer.
 * @template T
 * @param {string} url of what could not be loaded
 * @param {T} instead
 * @returns {Promise<T>}
 */
const ifMissing = (url, instead) =>
  fetchFrom(url, { method: "HEAD" }, async ({ status }) => {
    if (status !== 404) throw unreachable();
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
    this.parts = [this.table, this.hand];
    this.unit = 0;
    this.first = 0;
    this.crowd = 0;
    this.frame = 0;
    this.isShown = false;
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {{ before: View, after: View, flights: Flight[] } | null} */
    this.flown = null;
    keepFitting(this);
  }

  /**
   * Show the table and what may be done, with an animation of what has changed.
   * @param {Scene} scene
   * @param {Child[]} [besides] buttons for what can be done besides moves
   * @param {{ still?: boolean, also?: Flight[] }} [how] still: without an animation; also: what flies though no view tells it
   */
  show(scene, besides = [], { still = false, also = [] } = {}) {
    if (this.scene && !this.element.isConnected) return; // the reader has left the page meanwhile
    const before = this.scene?.view;
    this.scene = scene;
    document.body.dataset.game = scene.view.game;
    if (still || !before || before.viewer !== scene.view.viewer) return this.render(scene, besides);
    return animate([...this.flights(before, scene.view), ...also], () => this.render(scene, besides));
  }

  /**
   * What flies where between two views. It is asked for twice: for the animation, and for the marks on what has moved.
   * @param {View} before
   * @param {View} after
   */
  flights(before, after) {
    if (this.flown?.before !== before || this.flown.after !== after) {
      const flights = this.drawing.flights?.(before, after) ?? flightsBetween(before.table, after.table);
      this.flown = { before, after, flights };
    }
    return this.flown.flights;
  }

  /**
   * @param {Scene} scene
   * @param {Child[]} besides
   */
  render(scene, besides) {
    hideTip(); // its piece may be gone
    noteFocus();
    this.moves.hidden = !scene.view.offers.length;
    const drawn = this.drawing.draw(scene);
    become(this.table, drawn.table);
    become(this.hand, drawn.hand);
    this.hand.hidden = !drawn.hand;
    if (this.prompt.textContent !== scene.view.prompt) this.prompt.textContent = scene.view.prompt;
    const own = drawn.choices ?? unplaced(scene.view).map(offerButton);
    become(this.choices, h("div.row", null, own, besides));
    // a style sheet could ask with :has(), but then all cards would be styled anew with every message
    this.element.toggleAttribute("data-moment", this.element.querySelector("[data-do=onwards]") !== null);
    become(
      this.legal,
      h(
        "ul",
        null,
        scene.view.offers.map((offer) => h("li", null, offerButton(offer))),
      ),
    );
    fitSoon(this);
    dispatchEvent(new Event("rendered"));
    findFocus();
  }
}

/**
 * The offers whose moves lie nowhere on the table.
 * @param {View} view
 * @param {string[]} [besides] names of moves that have a button anyway
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
    {
      type: "button",
      class: offer.risky ? "quiet" : "",
      "data-key": spelled(offer.move),
      "data-moves": JSON.stringify([offer.move]),
    },
    offer.label,
    offer.key && h("kbd", { "aria-hidden": "true" }, offer.key),
  );
}
