/** The recap: what happened since the player's last turn, shown on the table itself, one turn after another. */

import { iconButton } from "../base/buttons.js";
import { h } from "../base/dom.js";
import { say } from "../base/words.js";
import { atRest, sceneOf } from "./scene.js";
import { happened } from "./strip.js";

/** @import { Frame } from "../base/wire.js" */
/** @import { Log } from "./log.js" */
/** @import { Scene } from "./scene.js" */

export class Recap {
  n = 0;

  /**
   * @param {Frame[]} frames
   * @param {(still: boolean) => void} show called when another frame is to be shown
   * @param {() => void} close
   */
  constructor(frames, show, close) {
    this.frames = frames;
    this.show = show;
    this.close = close;
    document.body.dataset.recap = "";
    this.listening = new AbortController();
    addEventListener("keydown", (event) => this.press(event), { capture: true, signal: this.listening.signal });
  }

  get frame() {
    return this.frames[this.n];
  }

  /** @param {number} by */
  step(by) {
    const n = Math.max(0, Math.min(this.frames.length - 1, this.n + by));
    if (n === this.n) return;
    this.n = n;
    this.show(by < 0); // only what goes forward is animated
  }

  /** Arrows and Escape are the recap's while it is open. @param {KeyboardEvent} event */
  press(event) {
    const does = { ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), Escape: this.close }[event.key];
    if (!does || document.querySelector("dialog:modal")) return;
    if (event.target instanceof HTMLElement && event.target.matches("input, textarea, select")) return;
    event.stopPropagation();
    event.preventDefault();
    does();
  }

  stop() {
    this.listening.abort();
    delete document.body.dataset.recap;
  }

  /**
   * The table as it was after the turn that is shown, with what is being asked now.
   * @param {Scene} now
   * @returns {Scene}
   */
  scene({ view, info, now }) {
    const { view: then, seat } = this.frame;
    return sceneOf({ ...atRest(then), prompt: view.prompt }, info, { ...now, turn: seat, asked: [] });
  }

  /**
   * What takes the place of the strip.
   * @param {Log} log
   * @param {string} subject of the lines
   */
  drawn(log, subject) {
    const [first, last] = [this.n === 0, this.n === this.frames.length - 1];
    const step = say("lesson.step", { n: this.n + 1, steps: this.frames.length });
    const unless = (/** @type {boolean} */ not) => ({ "aria-disabled": String(not) });
    return h(
      "div.strip.recap",
      { "data-key": "recap", role: "group", "aria-label": say("recap.label") },
      h("p.happened", { "aria-live": "polite" }, ...happened(log, this.frame.said, subject)),
      h("span.step", null, h("span.since", null, say("recap.label")), " ", step),
      iconButton("back-arrow", say("recap.back"), () => this.step(-1), { "data-do": "recap-back", ...unless(first) }),
      iconButton("forward", say("recap.forward"), () => this.step(1), { "data-do": "recap-forward", ...unless(last) }),
      iconButton("close", say("recap.done"), this.close, { "data-do": "recap-done" }),
    );
  }
}
