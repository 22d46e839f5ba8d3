/** The lesson: a guided first game by a script, in which each step is explained. */

import { findGame, get } from "../base/api.js";
import { sign } from "../base/art.js";
import { become, h } from "../base/dom.js";
import { busy } from "../base/progress.js";
import { topBar } from "../base/top_bar.js";
import { say } from "../base/words.js";
import { rulesButtons } from "./rules.js";
import { listenForKeys, listenForPointer } from "../table/input.js";
import { Log } from "../table/log.js";
import { during, sceneWithNames } from "../table/scene.js";
import { Stage, drawingOf } from "../table/stage.js";
import { unfoldAround } from "../table/unfold.js";

/** @import { Page } from "../base/router.js" */
/** @import { GameInfo, LessonInfo, LessonReply, Moment, Move } from "../base/wire.js" */

/** @type {Page} */
export async function open(root, left, game) {
  const path = `/api/games/${encodeURIComponent(game)}/lesson`;
  const box = await findGame(game);
  const [lesson, first, drawing] = await Promise.all([get(path, left), get(`${path}/0`, left), drawingOf(game)]);
  left.throwIfAborted();
  const guide = new Lesson(root, path, lesson, new Stage(drawing), box);
  left.addEventListener("abort", () => guide.close());
  guide.take(first, 0, []);
}

class Lesson {
  number = -1;
  isLoading = false;
  /** @type {number[]} */
  begun = [];
  /** @type {LessonReply | null} */
  step = null;
  /** @type {Moment[]} what is shown only for a moment, the next one first */
  moments = [];

  /**
   * @param {HTMLElement} root
   * @param {string} path
   * @param {LessonInfo} lesson
   * @param {Stage} stage
   * @param {GameInfo} box
   */
  constructor(root, path, lesson, stage, box) {
    this.path = path;
    this.lesson = lesson;
    this.stage = stage;
    this.log = new Log(box.slug);
    const handlers = {
      scene: () => this.scene,
      play: (/** @type {any} */ move, /** @type {Element} */ place) => this.play(move, place),
      cancel: () => this.to(stage.prompt, this.number),
    };
    this.stopKeys = listenForKeys(handlers, { "?": "rules", r: "reference" });
    this.stopTouches = listenForPointer(root, handlers);
    this.guide = h("section#guide", { "aria-live": "polite", "aria-label": say("lesson.label") });
    document.title = `${box.title} – Brocante`;
    document.body.dataset.phase = "lesson";
    root.className = "at-table lesson";
    root.replaceChildren(
      topBar(
        [h("h1", null, box.title), h("span#status", null, say("lesson.label"))],
        ...rulesButtons(box, stage.drawing),
      ),
      this.guide,
      stage.element,
    );
  }

  close() {
    this.stopKeys();
    this.stopTouches();
  }

  get scene() {
    if (!this.step) return null;
    const shown = during(this.step.view, this.moments[0]);
    return sceneWithNames(shown, this.lesson.names, shown.actor >= 0 ? [shown.actor] : []);
  }

  /**
   * Go to a step.
   * @param {Element} place
   * @param {number} number
   * @param {number[]} [begun]
   */
  async to(place, number, begun = []) {
    if (this.isLoading && !place.hasAttribute("aria-busy")) return; // one step at a time
    const choices = begun.length ? `?begun=${begun.join(",")}` : "";
    await busy(place, async (stop) => {
      this.isLoading = true;
      const step = get(`${this.path}/${number}${choices}`, stop).finally(() => (this.isLoading = false));
      this.take(await step, number, begun);
    });
  }

  /**
   * @param {LessonReply} step
   * @param {number} number
   * @param {number[]} begun
   */
  take(step, number, begun) {
    this.step = step;
    this.moments = begun.length || number === this.number ? [] : step.moments;
    this.log.addPictures(step.pictures);
    if (!begun.length) this.log.announce(step.log);
    this.number = number;
    this.begun = begun;
    this.show();
  }

  /**
   * @param {Move} move
   * @param {Element} place
   */
  play(move, place) {
    if (move.move === "part") this.to(place, this.number, [...this.begun, Number(move.action)]);
    else this.to(place, this.number + 1);
  }

  /** @param {Element} button */
  onwards(button) {
    if (!this.moments.length) return this.to(button, this.number + 1);
    this.moments = this.moments.slice(1);
    return this.show();
  }

  show() {
    const { step, scene, lesson } = this;
    if (!step || !scene) return;
    const onwards = (/** @type {any} */ event) => this.onwards(event.currentTarget);
    const isMoment = this.moments.length > 0;
    become(
      this.guide,
      h(
        "div.guide",
        null,
        sign("hint"),
        h("p", null, isMoment ? this.moments[0].text : step.says),
        h(
          "div.row",
          null,
          h("span.small", null, say("lesson.step", { n: this.number + 1, steps: lesson.steps })),
          (isMoment || (!step.yours && !step.last)) &&
            h(
              "button.lead",
              { type: "button", "data-key": "onwards", "data-do": "onwards", onclick: onwards },
              say("lesson.onwards"),
            ),
          step.last && !isMoment && h("a.button.lead", { href: "/" }, sign("home"), say("lesson.done")),
        ),
      ),
    );
    document.body.dataset.asked = String(step.yours && !isMoment);
    this.stage.show(scene, [], { still: this.begun.length > 0 });
    this.pointAt(step.points_at);
  }

  /** @param {string | null | undefined} where */
  pointAt(where) {
    for (const old of document.querySelectorAll(".pointed-at")) old.classList.remove("pointed-at");
    this.guide.dataset.pointsAt = where ?? "";
    if (!where) return;
    const there = document.querySelector(`[data-pile="${CSS.escape(where)}"], [data-zone="${CSS.escape(where)}"]`);
    if (document.body.dataset.asked !== "true") unfoldAround(there); // what can be touched comes first
    there?.classList.add("pointed-at");
    there?.scrollIntoView({ block: "nearest" });
  }
}
