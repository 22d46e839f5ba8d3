/** A live table: it is opened by its link, filled, played at, looked at, and played at again. */

import { away, beGuest, findGame, get, nonce, post } from "../base/api.js";
import { iconButton } from "../base/buttons.js";
import { Connection } from "../base/connection.js";
import { become, h } from "../base/dom.js";
import { busy, pressed } from "../base/progress.js";
import { giveUp } from "../base/router.js";
import { choose, pace } from "../base/settings.js";
import { playSound } from "../base/sounds.js";
import { note } from "../base/toast.js";
import { topBar } from "../base/top_bar.js";
import { say } from "../base/words.js";
import { rulesButtons } from "./rules.js";
import { scoring } from "../table/awards.js";
import { Chat } from "../table/chat.js";
import { rollDie } from "../table/dice.js";
import { listenForKeys, listenForPointer } from "../table/input.js";
import { lobby } from "../table/lobby.js";
import { Log } from "../table/log.js";
import { tickClocks } from "../table/players.js";
import { atRest, during, sceneOf } from "../table/scene.js";
import { Stage, drawingOf } from "../table/stage.js";
import { controls, notices } from "../table/undo_pause_resign.js";

/** @import { Page } from "../base/router.js" */
/** @import { Event as TableEvent, GameInfo, Message, Moment, Move, Now, TableInfo, View, You } from "../base/wire.js" */

/** What players do besides their moves is told where they talk. */
const TALK = [
  "sat",
  "botsat",
  "stood",
  "undoasked",
  "undoagreed",
  "undorefused",
  "paused",
  "resumed",
  "went",
  "returned",
  "againasked",
];

/** Which page this is: it stands in its address. */
const PAGE = new URL(import.meta.url).pathname.split("/")[2];

/** @type {Page} */
export async function open(root, left, id) {
  const table = new LiveTable(root, id);
  left.addEventListener("abort", () => table.close());
  await table.opened;
}

export class LiveTable {
  /** @type {TableInfo} how the table stands; nothing is shown before it is told */
  info = /** @type {any} */ (null);
  /** @type {Now} */
  now = {};
  /** @type {You} */
  you = { seat: null, host: false };
  /** @type {View | null} */
  view = null;
  /** @type {number[]} the first choices of a move */
  begun = [];
  /** @type {Moment[]} what one sees only for a moment */
  moments = [];
  toldAt = performance.now();
  /** @type {Stage | null} */
  stage = null;
  /** @type {GameInfo} */
  box = /** @type {any} */ (null);
  isClosed = false;
  heardCount = 0;
  isPlaying = false; // a move is on its way
  isLocal = false; // the server is for this computer only

  /**
   * @param {HTMLElement} root
   * @param {string} id
   */
  constructor(root, id) {
    this.root = root;
    this.id = id;
    this.log = new Log("");
    this.chat = new Chat((text) => this.connection.do("chat", { text }));
    this.handlers = {
      scene: () => this.scene,
      play: (/** @type {any} */ move, /** @type {Element} */ place) => this.play(move, place),
      cancel: () => this.letBe(),
    };
    this.stopKeys = listenForKeys(this.handlers, { u: "undo", "?": "rules", r: "reference" });
    this.stopTouches = listenForPointer(root, this.handlers);
    this.ticking = setInterval(() => this.tick(), 200);
    /** Messages are taken one after the other, also while the first one makes us fetch the game's drawings. */
    this.queue = Promise.resolve();
    this.opened = new Promise((resolve, reject) => {
      this.connection = new Connection(id, {
        hear: (message) => (this.queue = this.queue.then(() => this.hear(message)).then(resolve, this.failed(reject))),
        connected: (connected) => {
          const isHopeless = !connected && !this.stage && this.connection.attempts > 1;
          return isHopeless ? reject(away()) : this.connected(connected);
        },
        gone: (refused) => (this.stage ? giveUp(refused) : reject(refused)),
      });
    });
  }

  /**
   * Something went wrong: with the first message the page cannot be shown, later it is told in the console.
   * @param {(error: unknown) => void} reject
   */
  failed(reject) {
    return (/** @type {unknown} */ error) => (this.stage ? reportError(error) : reject(error));
  }

  /** @param {boolean} connected */
  async connected(connected) {
    const isBack = connected && document.body.classList.contains("disconnected");
    document.body.classList.toggle("disconnected", !connected);
    if (!isBack) return;
    const { page } = await get("/api/server").catch(() => ({ page: PAGE }));
    if (page !== PAGE) location.reload(); // the server was renewed: what it would draw now is not what we have
  }

  close() {
    this.isClosed = true;
    this.connection.close();
    this.stopKeys();
    this.stopTouches();
    clearInterval(this.ticking);
    document.body.classList.remove("disconnected", "side-open", "paused", "seated", "fresh-talk");
  }

  // --- what the server says ---

  /** @param {Message} message */
  async hear(message) {
    const [wasAsked, wasOver] = [this.isAsked, this.info?.phase === "over"];
    // what others say does not disturb one who is choosing
    const isChoosing = this.begun.length > 0 && message.type === "news" && message.now?.step === this.now.step;
    this.heardCount++;
    this.toldAt = performance.now();
    this.info = message.table ?? this.info;
    this.now = message.now ?? {};
    this.you = message.you ?? this.you;
    if (!isChoosing) {
      const told = message.type === "welcome" ? null : this.view; // there, nothing is left out but what is not there
      this.view = message.view === undefined ? told : message.view;
      this.begun = [];
    }
    if (!this.stage) await this.setUp();
    this.log.learn(message.pictures);
    if (message.type === "welcome" && !message.events) this.log.begin(message.log ?? []);
    const isRetold = message.type === "welcome" && this.heardCount === 1; // after a reload
    for (const event of message.events ?? []) this.happened(event, message.type === "news", isRetold);
    if (isRetold && message.events) this.readLogAgain(); // as one would remember it
    if (wasAsked && !this.isAsked) this.readLogAgain();
    if (!wasAsked && this.isAsked) playSound("turn");
    if (!wasOver && this.info.phase === "over") {
      if (message.type === "news") playSound("over");
      document.body.classList.remove("side-open"); // it would hide the scoring
    }
    this.show();
  }

  /** When the first message has come: which game it is, and what it looks like. */
  async setUp() {
    const { game } = this.info;
    this.log.game = game;
    const [drawing, box, server] = await Promise.all([drawingOf(game), findGame(game), get("/api/server")]);
    this.box = box;
    this.isLocal = Boolean(server.loopback);
    this.stage = new Stage(drawing);
    this.layOut(this.stage);
  }

  /**
   * @param {TableEvent} event
   * @param {boolean} now it has just happened: it was not missed
   * @param {boolean} isRetold one has been told before: only the talk is in no log
   */
  happened(event, now, isRetold) {
    const who = this.info.seats[event.seat ?? -1]?.name ?? "";
    this.log.learn(event.pictures);
    if (event.event === "said") this.chat.said(event.name || who, event.text ?? "", Boolean(event.allies));
    else if (TALK.includes(event.event)) for (const line of event.said ?? []) this.chat.noted(line);
    else if (!isRetold) this.log.add(event.said ?? []);
    if (now && this.now.window === undefined) this.moments.push(...(event.moments ?? []));
    else if (now) for (const moment of event.moments ?? []) note(moment.text); // every second counts: nothing is in the way
    if (now && event.die) rollDie(event.die);
    if (now && event.event === "said" && event.seat !== this.you.seat) document.body.classList.add("fresh-talk");
  }

  /** The log tells what is news in full, and keeps of older things what one would remember: it is asked for anew. */
  async readLogAgain() {
    const heard = this.heardCount;
    const lines = await get(`/api/tables/${this.id}/log`).catch(() => null);
    if (heard !== this.heardCount)
      this.readLogAgain(); // something has happened meanwhile
    else if (lines) this.log.begin(lines);
  }

  // --- what one does ---

  get isAsked() {
    return this.you.seat !== null && Boolean(this.view?.offers.length);
  }

  get scene() {
    return this.view && !this.moments.length && !this.info.paused ? sceneOf(this.view, this.info, this.now) : null;
  }

  /**
   * Ask for something.
   * @param {string} what
   * @param {Record<string, any>} [details]
   */
  ask(what, details) {
    return this.connection.do(what, details);
  }

  /**
   * Make a move, or the first choices of one; one at a time, however fast one clicks.
   * @param {Move} move
   * @param {Element} place where one has touched
   */
  async play(move, place) {
    if (this.isPlaying) return;
    this.isPlaying = true;
    await busy(place, () => this.make(move));
    this.isPlaying = false;
  }

  /** @param {Move} move */
  async make(move) {
    try {
      if (move.move === "part") await this.look([...this.begun, Number(move.action)]);
      else {
        this.begun = [];
        await this.connection.play(move);
      }
    } catch (refused) {
      await this.look([]).catch(() => {}); // as things stand
      throw refused;
    }
  }

  /** @param {number[]} begun */
  async look(begun) {
    const step = this.now.step;
    const view = await this.connection.look(begun);
    if (step !== this.now.step) return; // something happened meanwhile, and how things stand has been told
    this.begun = begun;
    this.view = view;
    this.show();
    if (begun.length) bringIntoSight();
  }

  /** Let what was begun be. */
  letBe() {
    document.body.classList.remove("side-open");
    const button = this.stage?.choices.querySelector("[data-do=let-be]");
    if (button) busy(button, () => this.look([]));
  }

  /**
   * Sit down.
   * @param {string} name
   * @param {number} [seat] the first empty one unless it is named
   */
  async sit(name, seat) {
    await beGuest(name);
    choose({ name });
    await post(`/api/tables/${this.id}/join`, { name, nonce: nonce(), ...(seat === undefined ? {} : { seat }) });
    await this.connection.anew(); // the socket knows then who listens
  }

  // --- what one sees ---

  /** @param {Stage} stage */
  layOut(stage) {
    this.status = h("span#status");
    this.above = h("div#above");
    this.controls = h("div#controls");
    this.after = h("div#after");
    this.time = h("div#window", { hidden: true, role: "timer", "aria-label": say("table.window") }, h("i"));
    stage.bar.prepend(this.time);
    this.side = h(
      "aside#side",
      { "aria-label": say("table.side") },
      this.controls,
      stage.moves,
      h("h2.side-title", null, say("log.label")),
      this.log.lines,
      h("h2.side-title.talk", null, say("chat.label")),
      this.chat.element,
    );
    const toggle = () => {
      document.body.classList.toggle("side-open");
      document.body.classList.remove("fresh-talk");
    };
    this.root.className = "at-table";
    this.root.replaceChildren(
      h("a.skip", { href: "#prompt" }, say("table.skip")),
      topBar(
        [h("h1", null, this.box.title), this.status],
        iconButton(
          "undo",
          say("table.undo"),
          pressed(() => this.ask("undo")),
          { class: "undo-above", "data-do": "undo" },
        ),
        ...rulesButtons(this.box, stage.drawing),
        iconButton("log", say("table.side"), toggle, { class: "side-toggle" }),
      ),
      h("p.lost", { role: "status" }, say("table.lost")),
      this.above,
      stage.element,
      this.side,
      this.after,
    );
  }

  show() {
    const { stage, info } = this;
    if (!stage || this.isClosed) return;
    document.body.dataset.phase = info.phase;
    document.body.dataset.asked = String(this.isAsked);
    document.title = `${this.isAsked ? "● " : ""}${this.box.title} – Brocante`; // also to be seen from another tab
    document.body.classList.toggle("seated", this.you.seat !== null);
    document.body.classList.toggle("paused", info.paused);
    become(this.controls, controls(this));
    become(this.above, notices(this));
    const watching = this.you.seat === null && info.phase === "playing" ? say("table.watching") : "";
    if (this.status) this.status.textContent = [this.view?.table.status, watching].filter(Boolean).join(" – ");
    stage.element.hidden = info.phase === "open" || !this.view; // of a game whose rules are gone nothing can be drawn
    if (this.view && info.phase !== "open") this.showGame(stage, this.view);
    this.showAfter();
    this.showTime();
  }

  /**
   * @param {Stage} stage
   * @param {View} view
   */
  showGame(stage, view) {
    const moment = this.moments[0];
    const played = this.info.paused ? { ...atRest(view), prompt: say("table.paused") } : view;
    const shown = during(played, moment);
    const button = (/** @type {string} */ key, /** @type {string} */ words, /** @type {() => void} */ onclick) =>
      h("button.lead", { type: "button", "data-key": key, "data-do": key, onclick }, words);
    const besides = [
      moment && button("onwards", say("table.seen_it"), () => this.passMoment()),
      this.begun.length > 0 && button("let-be", say("nav.never_mind"), () => this.letBe()),
    ];
    stage.show(sceneOf(shown, this.info, this.now), besides, {
      still: Boolean(this.now.window) || this.begun.length > 0,
    });
    if (moment && !moment.pause)
      setTimeout(() => moment === this.moments[0] && this.passMoment(), Math.max(700, pace() * 7));
  }

  passMoment() {
    this.moments.shift();
    this.show();
  }

  /** Before and after the game: who sits where, what was scored. */
  showAfter() {
    const { phase } = this.info;
    const shown = phase === "open" ? lobby : phase === "over" && !this.moments.length ? scoring : null;
    become(this.after, shown && shown(this));
  }

  showTime() {
    if (!this.time) return;
    const gone = (performance.now() - this.toldAt) / 1000;
    this.time.hidden = this.now.window === undefined;
    const left = ((this.now.window ?? 0) - gone) / (this.info.clock.window ?? 8);
    this.time.style.setProperty("--left", String(Math.max(0, Math.min(1, left))));
  }

  tick() {
    if (!this.info || this.info.paused) return;
    tickClocks(
      () => this.now,
      () => performance.now() - this.toldAt,
    );
    this.showTime();
  }
}

/** What can be chosen next may lie where one does not look. */
function bringIntoSight() {
  if (document.querySelector("#hand [data-moves][aria-disabled=false], #choices [data-moves]")) return;
  document.querySelector("#table [data-moves][aria-disabled=false]")?.scrollIntoView({ block: "nearest" });
}
