/** The page of a live table, from the lobby to the final scoring. */

import { beGuest, findGame, get, listGames, nonce, post, unreachable } from "../base/api.js";
import { iconButton } from "../base/buttons.js";
import { Connection } from "../base/connection.js";
import { become, h } from "../base/dom.js";
import { essentials } from "../base/essentials.js";
import { findFocus } from "../base/focus.js";
import { busy, pressed } from "../base/progress.js";
import { giveUp } from "../base/router.js";
import { choose, pace } from "../base/settings.js";
import { playSound } from "../base/sounds.js";
import { toast } from "../base/toast.js";
import { topBar } from "../base/top_bar.js";
import { say } from "../base/words.js";
import { rulesButtons } from "./rules_buttons.js";
import { autoPassSwitch, passIfAutomatic, stopPassing } from "../table/auto_pass.js";
import { canSkip, keepPace, skipButton } from "../table/bots_pace.js";
import { Chat } from "../table/chat.js";
import { FreshMarks } from "../table/fresh_marks.js";
import { Glimpses, exchanges } from "../table/glimpses.js";
import { listenForKeys, listenForPointer } from "../table/input.js";
import { Log } from "../table/log.js";
import { tickClocks } from "../table/players.js";
import { atRest, during, sceneOf } from "../table/scene.js";
import { closeSide, openSide, sideHead, sideToggle } from "../table/side.js";
import { Stage, drawingOf } from "../table/stage.js";
import { Strip, stripButton } from "../table/strip.js";
import { answers, asking, mustAsk } from "../table/sure.js";
import { tabTitle } from "../table/tab_title.js";
import { controls, notices, takeBack, updateUndo } from "../table/undo_pause_resign.js";

/** @import { Page } from "../base/router.js" */
/** @import { Event as TableEvent, GameInfo, Moment, Move, News, Now, TableInfo, View, Welcome, You } from "../base/wire.js" */

/** Categories of events whose lines go into the chat, and into the log. */
const IN_CHAT = ["seats", "agreement"];
const IN_LOG = ["play", "game"];

/** @import { Recap } from "../table/recap.js" */

/** What stands where the table is before a game and after it; fetched when somebody comes to it. */
/** @type {Record<string, () => Promise<(table: LiveTable) => HTMLElement | null>>} */
const AROUND_THE_GAME = {
  open: async () => (await import("../table/lobby.js")).lobby,
  over: async () => (await import("../table/awards.js")).finalScoring,
};

/** The version of this page, which is part of its address. */
const VERSION = new URL(import.meta.url).pathname.split("/")[2];

/** @type {Page} */
export async function open(root, left, id) {
  const connection = new Connection(id);
  left.addEventListener("abort", () => connection.close());
  const server = get("/api/server", left);
  for (const ahead of [server, listGames(), connection.game && drawingOf(connection.game)]) {
    Promise.resolve(ahead).catch(() => {}); // whoever needs it hears of the failure
  }
  await essentials;
  left.throwIfAborted();
  const table = new LiveTable(root, id, connection, server);
  left.addEventListener("abort", () => table.close());
  await table.opened;
}

export class LiveTable {
  /** @type {TableInfo} nothing is shown before it has arrived */
  info = /** @type {any} */ (null);
  /** @type {Now} */
  now = {};
  /** @type {You} */
  you = { seat: null, host: false };
  /** @type {View | null} */
  view = null;
  /** @type {number[]} the first choices of a move */
  begun = [];
  /** @type {Move | null} a move that the player is asked about before it is made */
  unsure = null;
  /** @type {Moment[]} what is shown only for a moment, the next one first */
  moments = [];
  receivedAt = performance.now();
  /** @type {Stage | null} */
  stage = null;
  /** @type {GameInfo} */
  box = /** @type {any} */ (null);
  /** @type {Record<string, (table: LiveTable) => HTMLElement | null>} */
  aroundTheGame = {};
  isClosed = false;
  isMoving = false; // a move has been sent, and is not answered yet
  /** @type {string} what would become of the player's last move if they took it back */
  undo = "";
  /** @type {Recap | null} */
  recap = null;
  /** @type {View | null} at the end of the player's last turn */
  lastSeen = null;
  passesAutomatically = false; // until the player touches a card
  paceAsked = ""; // how fast bots were last asked to move
  isLocal = false; // only this computer can reach the server

  /**
   * @param {HTMLElement} root
   * @param {string} id
   * @param {Connection} connection
   * @param {Promise<{ loopback?: boolean }>} server what it says of itself
   */
  constructor(root, id, connection, server) {
    this.root = root;
    this.id = id;
    this.connection = connection;
    this.server = server;
    this.log = new Log("");
    this.strip = new Strip(this.log);
    this.fresh = new FreshMarks();
    this.glimpses = new Glimpses(() => this.show());
    this.chat = new Chat(id, (said) => this.command("chat", said));
    this.handlers = {
      scene: () => this.scene,
      play: (/** @type {any} */ move, /** @type {Element} */ place) => this.play(move, place),
      cancel: () => this.cancelMove(),
    };
    this.stopKeys = listenForKeys(this.handlers, { u: "undo", "?": "rules", r: "reference", l: "recap", " ": "skip" });
    this.stopTouches = listenForPointer(root, this.handlers);
    this.ticking = setInterval(() => this.tick(), 200);
    /** Messages are handled one after the other, even while the first one loads the game's drawings. */
    this.queue = Promise.resolve();
    this.opened = new Promise((resolve, reject) => {
      connection.listen({
        onMessage: (message) =>
          (this.queue = this.queue.then(() => this.handle(message)).then(resolve, this.failed(reject))),
        onConnected: (connected) => {
          const isHopeless = !connected && !this.stage && this.connection.attempts > 1;
          return isHopeless ? reject(unreachable()) : this.showConnected(connected);
        },
        onGone: (refused) => (this.stage ? giveUp(refused) : reject(refused)),
      });
    });
  }

  /**
   * If handling the first message fails, the page cannot be shown. Later failures go to the console.
   * @param {(error: unknown) => void} reject
   */
  failed(reject) {
    return (/** @type {unknown} */ error) => (this.stage ? reportError(error) : reject(error));
  }

  /** @param {boolean} connected */
  async showConnected(connected) {
    const isBack = connected && document.body.classList.contains("disconnected");
    document.body.classList.toggle("disconnected", !connected);
    if (!isBack) return;
    const { page } = await get("/api/server").catch(() => ({ page: VERSION }));
    if (page !== VERSION) location.reload(); // the server was updated meanwhile
  }

  close() {
    this.isClosed = true;
    this.stopKeys();
    this.stopTouches();
    clearInterval(this.ticking);
    this.endRecap();
    document.body.classList.remove("disconnected", "paused", "seated", "fresh-talk");
    closeSide();
  }

  // --- messages from the server ---

  /** @param {Welcome | News} message */
  async handle(message) {
    const [wasAsked, wasOver] = [this.isAsked, this.info?.phase === "over"];
    const isReload = !this.stage; // everything is repeated that this browser has received before
    // a player who is choosing is not disturbed by the chat
    const isChoosing =
      (this.begun.length > 0 || this.unsure) && message.type === "news" && message.now.step === this.now.step;
    const before = this.view;
    this.receivedAt = performance.now();
    this.info = message.table ?? this.info;
    this.now = message.now;
    this.you = message.you ?? this.you;
    this.undo = message.undo ?? "";
    if (!isChoosing) {
      const unchanged = message.type === "welcome" ? null : this.view; // a welcome leaves out only what does not exist
      this.view = message.view === undefined ? unchanged : message.view;
      this.begun = [];
      this.unsure = null;
    }
    if (!this.stage) await this.setUp();
    if (message.type === "welcome") this.log.addPictures(message.pictures);
    if (message.type === "welcome" && !message.events) this.log.begin(message.log ?? [], message.later);
    for (const event of message.events ?? []) this.handleEvent(event, message.type === "news", isReload);
    this.tellLast(message);
    this.markFresh(message, before);
    if (this.info.phase === "over") this.log.unfade();
    else if (isReload || this.you.seat !== null) this.log.fade(this.reader);
    if (this.isRecapInTheWay) this.endRecap();
    if (!wasAsked && this.isAsked) {
      playSound("turn");
      closeSide(); // it would hide the question
    }
    if (!wasOver && this.info.phase === "over") {
      if (message.type === "news") playSound("over");
      closeSide(); // it would hide the scoring
    }
    this.show();
    passIfAutomatic(this);
  }

  /**
   * Have the strip tell the last turn.
   * @param {Welcome | News} message
   */
  tellLast(message) {
    const told = (message.events ?? []).filter(({ category }) => IN_LOG.includes(category));
    if (message.type === "news") return this.strip.tell(told);
    if (message.events) for (const event of told) this.strip.tell([event]);
    else this.strip.lines = message.log?.slice(-1) ?? [];
  }

  /**
   * Remember what others have moved. The player's own turn wipes it out; an answer in somebody else's does not.
   * @param {Welcome | News} message
   * @param {View | null} before
   */
  markFresh({ type, events }, before) {
    const happened = events ?? [];
    const isOwnTurn = happened.some(
      ({ event, seat, turn }) => event === "moved" && seat === this.you.seat && turn === undefined,
    );
    const isAnotherTable = type === "welcome" || happened.some(({ event }) => ["started", "undone"].includes(event));
    if (isOwnTurn || isAnotherTable) {
      this.lastSeen = isOwnTurn ? this.view : null;
      return this.fresh.clear();
    }
    if (before && this.view && this.stage) this.fresh.add(this.stage.flights(before, this.view));
    this.fresh.add((events ?? []).flatMap(({ gestures = [] }) => exchanges(gestures)));
  }

  /** Load the game's drawings, when the first message has said which game it is. */
  async setUp() {
    const { game } = this.info;
    this.log.game = game;
    const around = this.loadAround();
    const [drawing, box, server] = await Promise.all([drawingOf(game), findGame(game), this.server, around]);
    this.box = box;
    this.isLocal = Boolean(server.loopback);
    this.stage = new Stage(drawing);
    this.layOut(this.stage);
  }

  /**
   * @param {TableEvent} event
   * @param {boolean} isNow it has just happened, and was not missed
   * @param {boolean} isReload the player has seen it before the page was reloaded
   */
  handleEvent(event, isNow, isReload) {
    const said = event.said ?? [];
    this.log.addPictures(event.pictures);
    if (event.category === "chat") this.hear(event, isNow);
    else if (IN_CHAT.includes(event.category)) for (const line of said) this.chat.note(line);
    else {
      if (event.event === "started") this.log.begin([]);
      if (event.event === "undone") this.log.undo(event.moves ?? 0);
      this.log.add(said, event.later, event.event === "moved" ? (event.turn ?? event.seat) : null);
      if (!isReload) this.log.announce(said);
    }
    if (!isNow) return;
    if (["started", "undone"].includes(event.event)) this.glimpses.clear();
    const whole = this.glimpses.begin(event);
    this.moments.push(...whole);
    for (const moment of event.moments ?? []) if (!whole.includes(moment)) this.log.announce([moment.text]);
    if (event.die) import("../table/dice.js").then(({ rollDie }) => rollDie(event.die ?? 0));
  }

  /**
   * Hear what somebody says.
   * @param {TableEvent} event
   * @param {boolean} isNow
   */
  hear({ seat = null, name, text = "", reaction = "", allies = false }, isNow) {
    const who = name || (this.info.seats[seat ?? -1]?.name ?? "");
    this.chat.say({ who, seat, text, reaction, allies }, { isNow, isOwn: seat !== null && seat === this.you.seat });
  }

  /** The seat whose turns decide what is news: the player's own, or for spectators the actor's. */
  get reader() {
    return this.you.seat ?? this.now.turn ?? -1;
  }

  // --- what the player does ---

  get isAsked() {
    return this.you.seat !== null && Boolean(this.view?.offers.length);
  }

  get scene() {
    return this.view && !this.moments.length && !this.info.paused && !this.unsure && !this.recap
      ? sceneOf(this.view, this.info, this.now)
      : null;
  }

  /**
   * Send a command (docs/api.md, commands).
   * @param {string} what
   * @param {Record<string, any>} [details]
   */
  command(what, details) {
    return this.connection.command(what, details);
  }

  /**
   * Make a move, or the first choices of one; one at a time, however fast the player clicks.
   * @param {Move} move
   * @param {Element} place the element that was clicked
   */
  async play(move, place) {
    if (this.isMoving) return;
    if (this.view && !this.unsure && mustAsk(this.view, move)) return this.ask(move);
    this.isMoving = true;
    if (place.closest("#hand")) stopPassing(this);
    await busy(place, () => this.make(move));
    this.isMoving = false;
  }

  /**
   * Ask whether a move is meant, or no longer.
   * @param {Move | null} move
   */
  ask(move) {
    this.unsure = move;
    this.show();
  }

  /** @param {Move} move */
  async make(move) {
    try {
      if (move.move === "part") await this.look([...this.begun, Number(move.action)]);
      else {
        this.begun = [];
        this.unsure = null;
        await this.connection.play(move);
      }
    } catch (refused) {
      await this.look([]).catch(() => {}); // show the table as it is
      throw refused;
    }
  }

  /** @param {number[]} begun */
  async look(begun) {
    const step = this.now.step;
    const view = await this.connection.look(begun);
    if (step !== this.now.step) return; // something has happened meanwhile, and a newer view is there
    this.begun = begun;
    this.view = view;
    this.show();
    if (begun.length) scrollToChoices();
  }

  /** Cancel a move of which the first choices are made. */
  cancelMove() {
    closeSide();
    if (this.unsure) return this.ask(null);
    const button = this.stage?.choices.querySelector("[data-do=let-be]");
    if (button) busy(button, () => this.look([]));
  }

  /**
   * Sit down.
   * @param {string} name
   * @param {number} [seat] the first empty one if left out
   */
  async sit(name, seat) {
    await beGuest(name);
    choose({ name });
    await post(`/api/tables/${this.id}/join`, { name, nonce: nonce(), ...(seat === undefined ? {} : { seat }) });
    await this.connection.restart(); // as somebody who sits at the table
  }

  // --- what the player sees ---

  /** @param {Stage} stage */
  layOut(stage) {
    this.status = h("span#status");
    this.above = h("div#above");
    this.controls = h("div#controls");
    this.after = h("div#after");
    this.time = h("div#window", { hidden: true, role: "timer", "aria-label": say("table.window") }, h("i"));
    stage.bar.before(this.strip.element);
    this.strip.element.prepend(this.time);
    this.lastTurn = h("div.last-turn");
    this.strip.element.append(this.lastTurn);
    this.auto = h("div#auto");
    stage.bar.append(this.auto);
    stage.table.addEventListener("click", ({ target }) => {
      const isBackground = !(/** @type {Element} */ (target).closest(".piece, button, summary, a, [data-tip]"));
      if (isBackground && canSkip(this)) busy(this.strip.element, () => this.command("skip"));
    });
    this.side = h(
      "aside#side",
      { "aria-label": say("table.side") },
      this.controls,
      stage.moves,
      sideHead(),
      this.log.lines,
      this.chat.parts,
    );
    const opened = () => {
      document.body.classList.remove("fresh-talk");
      this.log.showNewest();
    };
    this.log.lines.addEventListener("keydown", (event) => this.log.walkCards(event));
    stage.hand.addEventListener("click", () => stopPassing(this));
    this.root.className = "at-table";
    this.root.replaceChildren(
      h("a.skip", { href: "#prompt" }, say("table.skip")),
      topBar(
        [h("h1", null, this.box.title), this.status],
        (this.undoAbove = iconButton("undo", say("table.undo"), takeBack(this), { class: "undo-above" })),
        ...rulesButtons(this.box, stage.drawing),
        sideToggle(opened),
      ),
      h("p.lost", { role: "status" }, say("table.lost")),
      this.above,
      stage.element,
      this.side,
      this.after,
    );
  }

  /** @param {boolean} [still] without an animation */
  show(still = false) {
    const { stage, info } = this;
    if (!stage || this.isClosed) return;
    document.body.dataset.phase = info.phase;
    document.body.dataset.asked = String(this.isAsked);
    document.title = tabTitle(this.box.title, this);
    this.chat.suit({
      isAlone: info.seats.filter(({ kind }) => kind === "person").length < 2,
      isWatching: this.you.seat === null && info.phase !== "open",
    });
    document.body.classList.toggle("seated", this.you.seat !== null);
    document.body.classList.toggle("paused", info.paused);
    become(this.controls, controls(this));
    if (this.undoAbove) updateUndo(this, this.undoAbove);
    become(this.above, notices(this));
    const watching = this.you.seat === null && info.phase === "playing" ? say("table.watching") : "";
    const view = this.recap?.frame.view ?? this.view;
    become(this.status, h("span", null, [view?.table.status, watching].filter(Boolean).join(" – ")));
    stage.element.hidden = info.phase === "open" || !this.view; // a game whose rules are gone cannot be drawn
    if (this.view && info.phase !== "open") this.showGame(stage, this.view, still);
    this.showAfter();
    this.showTime();
    findFocus();
  }

  /**
   * @param {Stage} stage
   * @param {View} view
   * @param {boolean} still
   */
  showGame(stage, view, still) {
    this.showStrip();
    if (this.recap || this.moments.length) this.fresh.hide();
    if (this.recap) return stage.show(this.recap.scene(sceneOf(view, this.info, this.now)), [], { still });
    const moment = this.moments[0];
    const played = this.glimpses.over(this.info.paused ? { ...atRest(view), prompt: say("table.paused") } : view);
    const { unsure } = this;
    const shown = unsure ? asking(played, unsure) : during(played, moment);
    const button = (/** @type {string} */ key, /** @type {string} */ words, /** @type {() => void} */ onclick) =>
      h("button.lead", { type: "button", "data-key": key, "data-do": key, onclick }, words);
    const besides = [
      moment && button("onwards", say("table.seen_it"), () => this.passMoment()),
      unsure &&
        answers(
          () => this.play(unsure, stage.prompt),
          () => this.ask(null),
        ),
      this.begun.length > 0 && !unsure && button("let-be", say("nav.never_mind"), () => this.cancelMove()),
    ];
    stage.show(sceneOf(shown, this.info, this.now), besides, {
      also: this.glimpses.takeExchanges(),
      still: still || Boolean(this.now.window) || this.begun.length > 0 || Boolean(unsure),
    });
    if (!moment) this.fresh.show();
    if (moment && !moment.pause)
      setTimeout(() => moment === this.moments[0] && this.passMoment(), Math.max(700, pace() * 7));
  }

  showStrip() {
    const { strip, recap } = this;
    const told = recap
      ? recap.drawn(this.log, this.subjectOf(recap.frame.seat))
      : strip.drawn(this.subjectOf(strip.mover), () => this.tellMore(), skipButton(this) || this.recapButton());
    become(this.lastTurn, told);
    become(this.auto, autoPassSwitch(this));
  }

  /**
   * How lines of the log begin that tell what a player did.
   * @param {number | null} seat
   */
  subjectOf(seat) {
    return seat === this.you.seat ? say("player.spoken_to") : (this.info.seats[seat ?? -1]?.name ?? "");
  }

  /** A button for the recap, as soon as others have moved. */
  recapButton() {
    const hasBegun = this.log.entries.some(({ mover }) => mover !== null && mover !== this.you.seat);
    if (!hasBegun || this.info.phase !== "playing") return null;
    return stripButton(
      "recap",
      "first",
      say("recap.label"),
      pressed(() => this.openRecap()),
    );
  }

  /** Show what happened since the player's last turn, from where it ended. */
  async openRecap() {
    const [frames, { Recap }] = await Promise.all([this.connection.recap(), import("../table/recap.js")]);
    if (this.isClosed) return;
    if (!frames.length) return toast(say("recap.nothing"));
    for (const { pictures } of frames) this.log.addPictures(pictures);
    this.endRecap();
    this.recap = new Recap(
      frames,
      (still) => this.show(still),
      () => this.closeRecap(),
    );
    if (this.lastSeen) this.stage?.show(sceneOf(atRest(this.lastSeen), this.info, this.now), [], { still: true });
    this.show(!this.lastSeen);
    /** @type {HTMLElement | null} */ (document.querySelector("[data-do=recap-forward]"))?.focus();
  }

  /** Whether something is to be seen or decided at once. */
  get isRecapInTheWay() {
    const isUrgent = this.now.window !== undefined && this.isAsked;
    return Boolean(this.recap) && (isUrgent || this.moments.length > 0 || this.info.phase !== "playing");
  }

  endRecap() {
    this.recap?.stop();
    this.recap = null;
  }

  closeRecap() {
    this.endRecap();
    this.show(true);
    /** @type {HTMLElement | null} */ (document.querySelector("[data-do=recap]"))?.focus();
  }

  /** The strip was pressed: tell more, in the log if that is out of sight, or else in a recap. */
  tellMore() {
    if (!this.log.lines.checkVisibility({ visibilityProperty: true })) return this.openLog();
    /** @type {HTMLElement | null} */ (document.querySelector("[data-do=recap]"))?.click();
  }

  openLog() {
    openSide();
    this.log.showNewest();
    this.log.lines.focus();
  }

  passMoment() {
    this.moments.shift();
    this.show();
  }

  /** The lobby before the game, the final scoring after it. */
  showAfter() {
    const { phase } = this.info;
    const draw = phase in this.aroundTheGame && this.aroundTheGame[phase];
    become(this.after, draw && !this.moments.length ? draw(this) : null);
    if (!draw && phase in AROUND_THE_GAME) this.loadAround().then(() => this.show(), reportError);
  }

  async loadAround() {
    const { phase } = this.info;
    this.aroundTheGame[phase] ??= await AROUND_THE_GAME[phase]?.();
  }

  showTime() {
    if (!this.time) return;
    this.time.hidden = this.now.window === undefined;
    if (this.now.window === undefined) return;
    const gone = (performance.now() - this.receivedAt) / 1000;
    const left = ((this.now.window ?? 0) - gone) / (this.info.clock.window ?? 8);
    this.time.style.setProperty("--left", String(Math.max(0, Math.min(1, left))));
  }

  tick() {
    if (!this.info || this.info.paused) return;
    keepPace(this);
    tickClocks(
      () => this.now,
      () => performance.now() - this.receivedAt,
    );
    this.showTime();
  }
}

/** Scroll to what can be chosen next, if none of it is in the hand or the bar. */
function scrollToChoices() {
  if (document.querySelector("#hand [data-moves][aria-disabled=false], #choices [data-moves]")) return;
  document.querySelector("#table [data-moves][aria-disabled=false]")?.scrollIntoView({ block: "nearest" });
}
