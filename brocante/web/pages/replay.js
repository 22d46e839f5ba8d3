/** The replay of a game that is over, step by step: as each seat saw it, or with all cards open. */

import { findGame, get } from "../base/api.js";
import { sign } from "../base/art.js";
import { iconButton } from "../base/buttons.js";
import { become, h } from "../base/dom.js";
import { essentials } from "../base/essentials.js";
import { Kept } from "../base/kept.js";
import { busy } from "../base/progress.js";
import { addressOfStep, stepInAddress } from "../base/router.js";
import { shareLink } from "../base/share_link.js";
import { topBar } from "../base/top_bar.js";
import { say } from "../base/words.js";
import { rulesButtons } from "./rules_buttons.js";
import { scoringOfReplay } from "../table/awards.js";
import { listenForKeys } from "../table/input.js";
import { Log } from "../table/log.js";
import { during, sceneWithNames } from "../table/scene.js";
import { closeSide, sideHead, sideToggle } from "../table/side.js";
import { Stage, drawingOf } from "../table/stage.js";

/** @import { Page } from "../base/router.js" */
/** @import { GameInfo, Moment, Replayed, View } from "../base/wire.js" */

/** @typedef {View & { moments: Moment[] }} ReplayView */

/** The most responses that are kept. */
const KEPT = 400;
/** Milliseconds between two steps when it plays by itself. */
const BEAT = 1100;
/** Milliseconds before the address names a step: browsers refuse to change it all the time. */
const REST = 300;
/** What keys do: they press a button of the remote. */
const KEYS = { " ": "play", ArrowLeft: "back-arrow", ArrowRight: "forward", Home: "first", End: "last" };

/** @type {Page} */
export async function open(root, left, id, number) {
  const path = `/api/tables/${id}/games/${number}`;
  const openly = `${path}?eyes=open`;
  /** @type {Replayed} */
  const replayed = await get(openly, left);
  const first = Math.min(stepInAddress() ?? 1, replayed.steps);
  const [drawing, box, view] = await Promise.all([
    drawingOf(replayed.game),
    findGame(replayed.game),
    get(`${path}/views/${first}?eyes=open`, left),
    essentials,
  ]);
  left.throwIfAborted();
  const replay = new Replay(root, path, replayed, new Stage(drawing), box, id);
  left.addEventListener("abort", () => replay.close());
  replay.kept.put(openly, Promise.resolve(replayed)); // fetched again, it would be written again, under the reader's hands
  replay.pointAt(first, "open");
  replay.show(replayed, view);
}

class Replay {
  /** What the reader wants to see. */
  step = 0;
  eyes = "open";
  /** What is on the page. @type {[step: number, eyes: string]} */
  shown = [0, "open"];
  playing = 0;
  /** @type {Promise<void> | null} */
  fetching = null;
  /** What was fetched of it, by address. @type {Kept<any>} */
  kept = new Kept((path) => get(path), KEPT);
  /** The lines of the log, by step. @type {HTMLElement[][]} */
  lines = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  naming;

  /**
   * @param {HTMLElement} root
   * @param {string} path
   * @param {Replayed} replayed
   * @param {Stage} stage
   * @param {GameInfo} box
   * @param {string} id
   */
  constructor(root, path, replayed, stage, box, id) {
    this.path = path;
    this.replayed = replayed;
    this.stage = stage;
    this.log = new Log(replayed.game);
    this.scrubber = /** @type {HTMLInputElement} */ (
      h("input#scrubber", {
        type: "range",
        min: "0",
        max: replayed.steps,
        value: "0",
        "aria-label": say("replay.step"),
        oninput: () => this.to(Number(this.scrubber.value)),
      })
    );
    this.count = h("output", { for: "scrubber" });
    this.select = /** @type {HTMLSelectElement} */ (
      h(
        "select",
        { "aria-label": say("replay.eyes"), onchange: () => this.look() },
        h("option", { value: "open" }, say("replay.open")),
        replayed.names.map((name, seat) => h("option", { value: seat }, say("replay.as", { who: name }))),
      )
    );
    this.play = iconButton("go", say("replay.play"), () => this.toggle(), { "data-do": "play" });
    this.stopKeys = listenForKeys(
      { scene: () => null, play: () => {}, cancel: () => {} },
      { ...KEYS, "?": "rules", r: "reference" },
    );
    this.log.lines.addEventListener("click", (event) => this.toLine(event.target));
    this.log.lines.addEventListener("keydown", (event) => this.walkLines(event));
    document.title = `${box.title} – Brocante`;
    document.body.dataset.phase = "replay";
    this.after = h("div#after");
    root.className = "at-table";
    root.replaceChildren(
      topBar(
        [h("h1", null, box.title), h("span#status", null, say("replay.label"))],
        ...rulesButtons(box, stage.drawing),
        sideToggle(),
      ),
      this.remote(),
      stage.element,
      h(
        "aside#side",
        { "aria-label": say("table.side") },
        sideHead(),
        this.log.lines,
        shareLink(location.origin + location.pathname, say("scoring.share")),
        h("p.small.keys", null, say("replay.keys")),
        h(
          "p.row",
          null,
          h("a.button", { href: `/tables/${id}` }, say("replay.table")),
          h(
            "a.button",
            { href: path.replace("/games/", "/record?game="), download: `${replayed.game}.jsonl` },
            sign("download"),
            say("scoring.record"),
          ),
        ),
      ),
      this.after,
    );
  }

  close() {
    clearInterval(this.playing);
    clearTimeout(this.naming);
    this.stopKeys();
    closeSide();
  }

  /** What one holds in the hand to look at a game: back, on, whose eyes. */
  remote() {
    const button = (/** @type {string} */ picture, /** @type {string} */ words, /** @type {() => number} */ where) =>
      iconButton(picture, words, (event) => this.to(where(), /** @type {Element} */ (event.currentTarget)), {
        "data-do": picture,
      });
    return h(
      "div#remote",
      { role: "toolbar", "aria-label": say("replay.label") },
      button("first", say("replay.first"), () => 0),
      button("back-arrow", say("replay.back"), () => this.step - 1),
      this.play,
      button("forward", say("replay.forward"), () => this.step + 1),
      button("last", say("replay.last"), () => this.replayed.steps),
      this.scrubber,
      this.count,
      h("span.eyes", null, this.select),
    );
  }

  toggle() {
    if (this.playing) {
      clearInterval(this.playing);
      this.playing = 0;
    } else {
      if (this.step === this.replayed.steps) this.step = 0;
      this.playing = setInterval(() => this.beat(), BEAT);
    }
    const words = say(this.playing ? "replay.stop" : "replay.play");
    this.play.setAttribute("aria-label", words);
    this.play.setAttribute("data-tip", words);
    this.play.replaceChildren(sign(this.playing ? "pause" : "go"));
  }

  /** The next step, when it plays by itself. */
  beat() {
    if (this.step >= this.replayed.steps) this.toggle();
    else if (!this.fetching) this.to(this.step + 1, this.play);
  }

  /**
   * @param {number} step
   * @param {Element} [place] the element that was clicked
   */
  to(step, place = this.count) {
    this.pointAt(step, this.eyes);
    return this.follow(place);
  }

  look() {
    this.pointAt(this.step, this.select.value);
    return this.follow(/** @type {Element} */ (this.select.parentElement));
  }

  /**
   * @param {number} step
   * @param {string} eyes
   */
  pointAt(step, eyes) {
    this.step = Math.max(0, Math.min(step, this.replayed.steps));
    this.eyes = this.select.value = eyes;
    this.scrubber.value = String(this.step);
    this.count.textContent = `${this.step} / ${this.replayed.steps}`;
  }

  /** @param {Element} place */
  follow(place) {
    const fetching = (this.fetching ??= this.fetch().finally(() => (this.fetching = null)));
    return busy(place, () => fetching);
  }

  /**
   * Fetch and show what the reader wants to see. Whatever they passed over meanwhile is skipped, so scrubbing stays fast.
   */
  async fetch() {
    try {
      while (this.step !== this.shown[0] || this.eyes !== this.shown[1]) {
        const [step, eyes] = [this.step, this.eyes];
        const replayed = this.kept.get(`${this.path}?eyes=${eyes}`);
        const view = await this.kept.get(`${this.path}/views/${step}?eyes=${eyes}`);
        if (step === this.step && eyes === this.eyes) this.show(await replayed, view);
      }
      clearTimeout(this.naming);
      this.naming = setTimeout(() => history.replaceState(null, "", addressOfStep(this.step)), REST);
    } catch (error) {
      if (this.playing) this.toggle();
      this.pointAt(...this.shown);
      throw error;
    }
  }

  /**
   * @param {Replayed} replayed
   * @param {ReplayView} view
   */
  show(replayed, view) {
    if (replayed !== this.replayed || !this.lines.length) this.writeLog(replayed);
    this.replayed = replayed;
    this.shown = [this.step, this.eyes];
    this.showLine();
    const last = this.replayed.log[this.step - 1] ?? [];
    const shown = during({ ...view, prompt: last.at(-1) ?? view.prompt }, view.moments[0]);
    this.stage.show(sceneWithNames(shown, this.replayed.names, []));
    const { names, stopped, steps } = this.replayed;
    const isStopped = stopped && this.step === steps;
    become(
      this.after,
      isStopped
        ? h("p.paper", { role: "status" }, say("replay.stopped", { why: stopped }))
        : scoringOfReplay(view, names),
    );
  }

  /**
   * Write the whole log, so that one can go to any line of it.
   * @param {Replayed} replayed
   */
  writeLog(replayed) {
    this.log.addPictures(replayed.pictures);
    this.lines = replayed.log.map((said) => said.map((line) => h("li", null, this.log.illustrated(line))));
    this.log.lines.replaceChildren(...this.lines.flat());
  }

  /** Mark what has just happened, and what is still to come. */
  showLine() {
    this.lines.forEach((lines, n) => {
      for (const line of lines) {
        line.classList.toggle("to-come", n >= this.step);
        if (n === this.step - 1) line.setAttribute("aria-current", "step");
        else line.removeAttribute("aria-current");
      }
    });
    const all = this.lines.slice(0, this.step).flat();
    const { lines } = this.log;
    const last = all.at(-1);
    lines.scrollTop = last ? last.offsetTop - lines.offsetTop - lines.clientHeight / 2 : 0;
  }

  /**
   * Go to where a line of the log was written.
   * @param {EventTarget | null} target
   */
  toLine(target) {
    const clicked = target instanceof Element && target.closest("li");
    const step = this.lines.findIndex((lines) => lines.some((line) => line === clicked));
    if (step >= 0) this.to(step + 1, this.lines[step][0]);
  }

  /**
   * In the log, the arrows go from line to line.
   * @param {KeyboardEvent} event
   */
  walkLines(event) {
    const way = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!way) return;
    event.preventDefault();
    this.to(this.step + way);
  }
}
