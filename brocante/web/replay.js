/** A game that is over, step by step: from every seat's eyes, or with all cards open. */

import { gameCalled, get } from "./api.js";
import { sign } from "./art.js";
import { deskWith, during } from "./desk.js";
import { h } from "./dom.js";
import { Log } from "./log.js";
import { notify } from "./notice.js";
import { lookUp, openReference, openRules } from "./rules.js";
import { steps as points } from "./scoring.js";
import { Stage, drawingOf } from "./stage.js";
import { iconButton, topBar } from "./top.js";
import { listenForKeys } from "./touch.js";
import { say } from "./words.js";

/**
 * @typedef {{ game: string, options: Record<string, any>, names: string[], steps: number, winners: number[],
 *   log: string[][], pictures: Record<string, import("./types.js").Card>, stopped: string }} Story
 */

/** @typedef {import("./types.js").View & { moments: import("./types.js").Moment[] }} SeenView */

/** Views that are kept at hand. */
const KEPT = 400;
/** Milliseconds between two steps when it plays by itself. */
const BEAT = 1100;

/** @type {import("./router.js").Page} */
export async function open(root, id, number) {
  const path = `/api/tables/${id}/games/${number}`;
  /** @type {Story} */
  const story = await get(`${path}?eyes=open`);
  const [drawing, box] = await Promise.all([drawingOf(story.game), gameCalled(story.game)]);
  const replay = new Replay(root, path, story, new Stage(drawing), box, id);
  await replay.to(Math.min(1, story.steps));
  return () => replay.close();
}

class Replay {
  step = 0;
  eyes = "open";
  playing = 0;
  isFetching = false;
  /** @type {Map<string, Promise<SeenView>>} */
  views = new Map();

  /**
   * @param {HTMLElement} root
   * @param {string} path
   * @param {Story} story
   * @param {Stage} stage
   * @param {import("./types.js").GameInfo} box
   * @param {string} id
   */
  constructor(root, path, story, stage, box, id) {
    this.path = path;
    this.story = story;
    this.stage = stage;
    this.log = new Log(story.game);
    this.log.learn(story.pictures);
    this.scrubber = /** @type {HTMLInputElement} */ (
      h("input#scrubber", {
        type: "range",
        min: "0",
        max: story.steps,
        value: "0",
        "aria-label": say("replay.step"),
        oninput: () => this.to(Number(this.scrubber.value)),
      })
    );
    this.count = h("output", { for: "scrubber" });
    this.play = iconButton("go", say("replay.play"), () => this.toggle());
    this.stopKeys = listenForKeys(
      { desk: () => null, play: () => {}, cancel: () => {} },
      {
        " ": () => this.toggle(),
        ",": () => this.to(this.step - 1),
        ".": () => this.to(this.step + 1),
        "?": () => openRules(story.game),
        r: () => box.reference && openReference(box, stage.drawing),
      },
    );
    document.title = `${box.title} – Brocante`;
    document.body.dataset.phase = "replay";
    this.result = h("div");
    root.className = "at-table";
    root.replaceChildren(
      topBar(
        [h("h1", null, box.title), h("span#status", null, say("replay.label"))],
        ...lookUp(box, stage.drawing),
        iconButton("log", say("table.side"), () => document.body.classList.toggle("side-open"), {
          class: "side-toggle",
        }),
      ),
      this.remote(),
      stage.element,
      h(
        "aside#side",
        { "aria-label": say("table.side") },
        this.result,
        h("h2.side-title", null, say("log.label")),
        this.log.lines,
        h(
          "p.row",
          null,
          h("a.button", { href: `/tables/${id}` }, say("replay.table")),
          h(
            "a.button",
            { href: path.replace("/games/", "/record?game="), download: `${story.game}.jsonl` },
            sign("download"),
            say("scoring.record"),
          ),
        ),
      ),
    );
  }

  close() {
    clearInterval(this.playing);
    this.stopKeys();
    document.body.classList.remove("side-open");
  }

  /** What one holds in the hand to look at a game: back, on, whose eyes. */
  remote() {
    const eyes = h(
      "select",
      { "aria-label": say("replay.eyes"), onchange: (/** @type {any} */ event) => this.look(event.target.value) },
      h("option", { value: "open" }, say("replay.open")),
      this.story.names.map((name, seat) => h("option", { value: seat }, say("replay.as", { who: name }))),
    );
    const button = (/** @type {string} */ picture, /** @type {string} */ words, /** @type {() => number} */ where) =>
      iconButton(picture, words, () => this.to(where()));
    return h(
      "div#remote",
      { role: "toolbar", "aria-label": say("replay.label") },
      button("first", say("replay.first"), () => 0),
      button("back-arrow", say("replay.back"), () => this.step - 1),
      this.play,
      button("forward", say("replay.forward"), () => this.step + 1),
      button("last", say("replay.last"), () => this.story.steps),
      this.scrubber,
      this.count,
      eyes,
    );
  }

  /** @param {string} eyes */
  async look(eyes) {
    this.eyes = eyes;
    const story = await get(`${this.path}?eyes=${eyes}`).catch(notify);
    if (!story || eyes !== this.eyes) return;
    this.story = story;
    this.log.learn(story.pictures);
    await this.to(this.step);
  }

  toggle() {
    if (this.playing) {
      clearInterval(this.playing);
      this.playing = 0;
    } else {
      if (this.step === this.story.steps) this.step = 0;
      this.playing = setInterval(() => (this.step < this.story.steps ? this.to(this.step + 1) : this.toggle()), BEAT);
    }
    const words = say(this.playing ? "replay.stop" : "replay.play");
    this.play.setAttribute("aria-label", words);
    this.play.setAttribute("data-tip", words);
    this.play.replaceChildren(sign(this.playing ? "pause" : "go"));
  }

  /** @param {number} step */
  to(step) {
    return this.goTo(step).catch(notify);
  }

  /**
   * Show a step. While one is being fetched, only the last that was wanted is remembered: one can scrub as fast as one
   * likes.
   * @param {number} step
   */
  async goTo(step) {
    this.step = Math.max(0, Math.min(step, this.story.steps));
    this.scrubber.value = String(this.step);
    this.count.textContent = `${this.step} / ${this.story.steps}`;
    if (this.isFetching) return;
    this.isFetching = true;
    try {
      for (let [shown, eyes] = [-1, ""]; shown !== this.step || eyes !== this.eyes;) {
        [shown, eyes] = [this.step, this.eyes];
        const view = await this.viewAt(shown);
        if (shown === this.step && eyes === this.eyes) this.show(view);
      }
    } finally {
      this.isFetching = false;
    }
  }

  /**
   * @param {number} step
   * @returns {Promise<SeenView>}
   */
  viewAt(step) {
    const key = `${this.eyes}/${step}`;
    const found = this.views.get(key) ?? get(`${this.path}/views/${step}?eyes=${this.eyes}`);
    this.views.delete(key);
    this.views.set(key, found);
    found.catch(() => this.views.delete(key));
    if (this.views.size > KEPT) this.views.delete([...this.views.keys()][0]);
    return found;
  }

  /** @param {SeenView} view */
  show(view) {
    const lines = this.story.log.slice(0, this.step).flat();
    const last = this.story.log[this.step - 1] ?? [];
    const shown = during({ ...view, prompt: last.at(-1) ?? view.prompt }, view.moments[0]);
    this.stage.show(deskWith(shown, this.story.names, []));
    this.log.begin(lines);
    this.result.replaceChildren(...(view.result ? [/** @type {HTMLElement} */ (points(view, this.story.names))] : []));
    if (this.story.stopped && this.step === this.story.steps)
      this.result.replaceChildren(h("p", { role: "status" }, say("replay.stopped", { why: this.story.stopped })));
  }
}
