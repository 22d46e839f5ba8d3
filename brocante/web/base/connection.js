/** The WebSocket of a table. It connects at once, reconnects by itself, and resumes the stream of events where it broke off. */

import { announce } from "./announcement.js";
import { Refused, refusalOf } from "./api.js";
import { changed } from "./changes.js";
import { haveWords, language, say } from "./words.js";

/** @import { Frame, Message, Move, News, View, Welcome } from "./wire.js" */

/** Seconds before each attempt to reconnect, about: all who lost a server are not to come back in the same moment. */
const BACKOFF = [0.2, 0.5, 1, 2, 4];
/** Milliseconds without an answer after which the connection counts as lost. */
const TIMEOUT = 20_000;

/**
 * @typedef {object} Handlers
 * @property {(message: Welcome | News) => void} onMessage
 * @property {(connected: boolean) => void} onConnected when the connection is there, and when it is lost
 * @property {(refused: Refused) => void} onGone when the table is gone or closed to this player: retrying is no use
 */

export class Connection {
  /** @param {string} table */
  constructor(table) {
    this.table = table;
    /** @type {Handlers | null} */
    this.handlers = null;
    /** What has arrived before anybody listened. @type {Message[]} */
    this.early = [];
    /** @type {(handlers: Handlers) => void} */
    this.isHeard = () => {};
    /** @type {Promise<Handlers>} */
    this.heard = new Promise((resolve) => (this.isHeard = resolve));
    /** @type {WebSocket | null} */
    this.socket = null;
    /** After a reload the server repeats the whole stream: the chat is in no log. */
    const [stream, game] = kept(table);
    this.stream = stream;
    this.game = game;
    this.last = 0;
    this.step = 0;
    /** The last one, of which the server then says what has changed. @type {View | null} */
    this.view = null;
    this.attempts = 0;
    /** Seconds until the server wants to be asked again, if it has said so. @type {number | null} */
    this.pause = null;
    this.closed = false;
    this.ids = 0;
    /** @type {Map<number, { resolve: (said: any) => void, reject: (error: Error) => void, request: any }>} */
    this.waiting = new Map();
    this.retry = 0;
    this.timeout = 0;
    this.onWelcome = () => {};
    this.onOnline = () => this.connectNow();
    this.onOffline = () => this.socket?.close();
    addEventListener("online", this.onOnline);
    addEventListener("offline", this.onOffline);
    this.connect();
  }

  /** @param {Handlers} handlers */
  listen(handlers) {
    this.handlers = handlers;
    this.isHeard(handlers);
    for (const message of this.early.splice(0)) this.receive(message);
  }

  connect() {
    if (this.closed) return;
    this.early = []; // it comes again
    const since = this.stream ? `&since=${this.last}&stream=${encodeURIComponent(this.stream)}` : "";
    const url = new URL(`/api/tables/${this.table}/socket?detail=changes&lang=${language()}${since}`, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = new WebSocket(url);
    this.socket?.close(); // the new one repeats what the old one has not delivered
    this.socket = socket;
    socket.onmessage = ({ data }) => socket === this.socket && this.receive(JSON.parse(data));
    socket.onclose = () => this.reconnect(socket);
    this.expectAnswer();
  }

  /** Give up on the socket unless a message arrives in time. */
  expectAnswer() {
    clearTimeout(this.timeout);
    this.timeout = setTimeout(() => this.abandon(), TIMEOUT);
  }

  /** A network may fail silently; the browser itself would wait for minutes. */
  abandon() {
    const { socket } = this;
    if (!socket) return;
    socket.onclose = socket.onmessage = null; // what it still says will be told again
    socket.close();
    this.reconnect(socket);
  }

  connectNow() {
    if (this.closed || this.socket?.readyState === WebSocket.OPEN) return;
    clearTimeout(this.retry);
    this.connect();
  }

  /**
   * Connect again as somebody else, with a new stream.
   * @returns {Promise<void>} when the welcome has arrived
   */
  restart() {
    this.stream = "";
    this.connect();
    return new Promise((resolve) => (this.onWelcome = resolve));
  }

  close() {
    this.closed = true;
    clearTimeout(this.retry);
    clearTimeout(this.timeout);
    removeEventListener("online", this.onOnline);
    removeEventListener("offline", this.onOffline);
    this.socket?.close();
  }

  /** @param {Message} message */
  receive(message) {
    const { handlers } = this;
    if (!handlers) return void this.early.push(message);
    if (message.type === "welcome") {
      if (this.attempts) announce(""); // what is said now comes after it
      this.attempts = 0;
      [this.stream, this.game] = [message.stream ?? "", message.table.game];
      keep(this.table, this.stream, this.game);
      this.last = message.n ?? 0;
      handlers.onConnected(true);
    }
    if (message.type === "welcome" || message.type === "news") {
      if (message.type === "news" && message.changes && message.changes.since !== this.last) return this.abandon();
      message.view = this.viewAfter(message);
      this.step = message.now.step ?? 0;
      for (const event of message.events ?? []) this.last = event.n;
      handlers.onMessage(message);
    }
    if (message.type === "welcome") {
      this.onWelcome();
      this.resend();
    }
    if (message.type === "announcement") announce(message.text);
    if (message.type === "bye") {
      this.pause = message.retry;
      if (["gone", "banned"].includes(message.reason)) this.attempts = 1; // finds out at once
    }
    this.settle(message);
    if (this.waiting.size) this.expectAnswer();
    else clearTimeout(this.timeout);
  }

  /** @param {Welcome | News} message */
  viewAfter(message) {
    const { view, type } = message;
    if (type === "welcome" || view) this.view = view ?? null;
    else if (message.changes) this.view = changed(this.view, message.changes);
    return this.view;
  }

  /**
   * Settle the request that a message answers.
   * @param {Message} message
   */
  settle(message) {
    const id = ("done" in message ? message.done : "id" in message ? message.id : null) ?? 0; // ours begin at 1
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (message.type === "refused") waiting?.reject(new Refused(message.code, message.says));
    else if (message.type === "recapped") waiting?.resolve(message.frames);
    else waiting?.resolve(message.type === "seen" ? message.view : null);
  }

  /** @param {WebSocket} socket */
  async reconnect(socket) {
    if (socket !== this.socket || this.closed) return;
    clearTimeout(this.timeout);
    (await this.heard).onConnected(false);
    if (this.attempts === 1 && (await this.isGone())) return;
    if (socket !== this.socket || this.closed) return;
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.connectNow(), this.nextPause() * 1000);
  }

  /** How many seconds to wait for the server: as it says, or longer every time; those who are to move come first. */
  nextPause() {
    const { pause } = this;
    this.pause = null;
    const usual = BACKOFF[Math.min(this.attempts++, BACKOFF.length - 1)];
    return pause ?? usual * (this.view?.offers?.length ? 0.5 + Math.random() / 2 : 1 + Math.random() / 2);
  }

  /** A browser does not say why a socket was refused; a plain request does. */
  async isGone() {
    const response = await fetch(`/api/tables/${this.table}?lang=${language()}`).catch(() => null);
    if (!response || response.ok || response.status >= 500 || response.status === 429) return false;
    const [content] = await Promise.all([response.json(), haveWords()]);
    this.close();
    this.handlers?.onGone(refusalOf(response.status, content));
    return true;
  }

  /**
   * Send unanswered moves again if nothing has happened since, because then they were not made. Other requests fail, and
   * the player decides.
   */
  resend() {
    for (const [id, { request, reject }] of [...this.waiting]) {
      if (request.command?.step === this.step) this.send({ id, ...request });
      else {
        this.waiting.delete(id);
        reject(new Refused("lost", say("error.lost")));
      }
    }
  }

  /** @param {any} request */
  send(request) {
    if (this.socket?.readyState !== WebSocket.OPEN) return; // it is sent when there is a connection again
    this.socket.send(JSON.stringify(request));
    this.expectAnswer();
  }

  /** @param {any} request */
  request(request) {
    const id = ++this.ids;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, request });
      this.send({ id, ...request });
    });
  }

  /**
   * Send a command (docs/api.md, commands).
   * @param {string} what
   * @param {Record<string, any>} [details]
   * @returns {Promise<void>}
   */
  async command(what, details = {}) {
    await this.request({ command: { do: what, ...details } });
  }

  /**
   * Make a move, unless something has happened that the player has not seen.
   * @param {Move} move
   */
  play({ seat: _, ...move }) {
    return this.command("move", { move, step: this.step });
  }

  /**
   * The view after the first choices of a move, with what can be chosen next.
   * @param {number[]} begun
   * @returns {Promise<View>}
   */
  look(begun) {
    return this.request({ look: { begun } });
  }

  /**
   * What happened since the player's last turn, one frame a turn.
   * @returns {Promise<Frame[]>}
   */
  recap() {
    return this.request({ recap: true });
  }
}

/**
 * The stream of a table that this browser has received, and its game.
 * @param {string} table
 * @returns {[stream: string, game: string]}
 */
function kept(table) {
  try {
    const [stream, game = ""] = (localStorage.getItem(`brocante stream ${table}`) ?? "").split(" ");
    return [stream, game];
  } catch {
    return ["", ""]; // no storage
  }
}

/**
 * @param {string} table
 * @param {string} stream
 * @param {string} game
 */
function keep(table, stream, game) {
  try {
    localStorage.setItem(`brocante stream ${table}`, `${stream} ${game}`);
  } catch {
    // without storage, a reload loses the chat
  }
}
