/** The lesson: a guided first game by a script, in which each step is explained. */

import { findGame, get } from "../base/api.js";
import { sign } from "../base/art.js";
import { iconButton } from "../base/buttons.js";
import { become, h } from "../base/dom.js";
import { essentials } from "../base/essentials.js";
import { busy } from "../base/progress.js";
import { addressOfStep, stepInAddress } from "../base/router.js";
import { settings } from "../base/settings.js";
import { suggestedName } from "../base/suggested_name.js";
import { topBar } from "../base/top_bar.js";
import { say } from "../base/words.js";
import { getToKnow, leadsTo, startedTable } from "./new_game.js";
import { rulesButtons } from "./rules_buttons.js";
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
  const [lesson, drawing] = await Promise.all([get(path, left), drawingOf(game), essentials]);
  const number = stepOf(lesson);
  const step = await get(`${path}/${number}`, left);
  left.throwIfAborted();
  const guide = new Lesson(root, path, lesson, new Stage(drawing), box);
  left.addEventListener("abort", () => guide.close());
  addEventListener("popstate", () => guide.follow(), { signal: left });
  guide.take(step, number, []);
}

/**
 * The step that the address names. People count from 1.
 * @param {LessonInfo} lesson
 */
const stepOf = ({ steps }) => Math.max(0, Math.min((stepInAddress() ?? 1) - 1, steps - 1));

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
    this.box = box;
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
      if (number !== stepOf(this.lesson)) history.pushState(null, "", addressOfStep(number + 1));
    });
  }

  /** Go where the address says: the reader has gone back in the browser. */
  follow() {
    if (stepOf(this.lesson) !== this.number) this.to(this.guide, stepOf(this.lesson));
  }

  /**
   * @param {LessonReply} step
   * @param {number} number
   * @param {number[]} begun
   */
  take(step, number, begun) {
    this.step = step;
    this.moments = begun.length || number <= this.number ? [] : step.moments;
    this.log.addPictures(step.pictures);
    if (!begun.length) this.log.announce(step.log);
    if (step.last) getToKnow(this.box.slug);
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
          this.number > 0 && this.wayBack(),
          h("span.small", null, say("lesson.step", { n: this.number + 1, steps: lesson.steps })),
          (isMoment || (!step.yours && !step.last)) &&
            h(
              "button.lead",
              { type: "button", "data-key": "onwards", "data-do": "onwards", onclick: onwards },
              say("lesson.onwards"),
            ),
          step.last && !isMoment && this.waysOut(),
        ),
      ),
    );
    document.body.dataset.asked = String(step.yours && !isMoment);
    this.stage.show(scene, [], { still: this.begun.length > 0 });
    this.pointAt(this.begun.length ? null : step.points_at);
  }

  wayBack() {
    const back = (/** @type {any} */ event) => this.to(event.currentTarget, this.number - 1);
    return iconButton("back-arrow", say("lesson.back"), back, { "data-key": "back", "data-do": "back" });
  }

  /** What one does after a lesson. */
  waysOut() {
    const play = leadsTo((stop) => startedTable(this.box, settings.name || suggestedName(), stop));
    return [
      h(
        "button.lead",
        { type: "button", "data-key": "play", "data-do": "play", onclick: play },
        sign("play"),
        say("home.play"),
      ),
      h("a.button", { href: "/", "data-key": "done" }, sign("home"), say("lesson.done")),
    ];
  }

  /**
   * Put a ring around what is spoken of, and bring it and what is to be touched into sight.
   * @param {string | null | undefined} where
   */
  pointAt(where) {
    for (const old of document.querySelectorAll(".pointed-at")) old.classList.remove("pointed-at");
    this.guide.dataset.pointsAt = where ?? "";
    const there =
      where && document.querySelector(`[data-pile="${CSS.escape(where)}"], [data-zone="${CSS.escape(where)}"]`);
    if (there) {
      if (document.body.dataset.asked !== "true") unfoldAround(there); // what can be touched comes first
      there.classList.add("pointed-at");
    }
    const touchable = document.querySelector("#play [data-moves][aria-disabled=false]");
    for (const part of [there, touchable]) if (part) part.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}
