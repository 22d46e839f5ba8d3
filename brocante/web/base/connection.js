/** The socket of a table: it comes back by itself, with everything that was missed and nothing twice. */

import { Refused, refused } from "./api.js";
import { language, say } from "./words.js";

/** @import { Message, Move, View } from "./wire.js" */

/** Seconds before the next attempt, when there was no answer. */
const PAUSES = [0.2, 0.5, 1, 2, 4];
/** Milliseconds without an answer after which what looks like a connection is none. */
const LATE = 20_000;

/**
 * @typedef {object} Ears
 * @property {(message: Message) => void} hear what the server says: welcome and news
 * @property {(connected: boolean) => void} connected whether there is a connection
 * @property {(refused: Refused) => void} gone there is no such table, or no entry: it is of no use to try again
 */

export class Connection {
  /**
   * @param {string} table
   * @param {Ears} ears
   */
  constructor(table, ears) {
    this.table = table;
    this.ears = ears;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** After a reload everything is told again that this browser has heard: the talk is in no log. */
    this.stream = remembered(table);
    this.last = 0;
    this.step = 0;
    this.attempts = 0;
    this.closed = false;
    this.ids = 0;
    /** @type {Map<number, { resolve: (said: any) => void, reject: (error: Error) => void, request: any }>} */
    this.waiting = new Map();
    this.retry = 0;
    this.patience = 0;
    this.welcomed = () => {};
    this.comeBack = () => this.connectNow();
    this.goneOffline = () => this.socket?.close();
    addEventListener("online", this.comeBack);
    addEventListener("offline", this.goneOffline);
    this.connect();
  }

  connect() {
    if (this.closed) return;
    const since = this.stream ? `&since=${this.last}&stream=${encodeURIComponent(this.stream)}` : "";
    const url = new URL(`/api/tables/${this.table}/socket?lang=${language()}${since}`, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = new WebSocket(url);
    this.socket?.close(); // what it would still say will be told again
    this.socket = socket;
    socket.onmessage = ({ data }) => socket === this.socket && this.heard(JSON.parse(data));
    socket.onclose = () => this.lost(socket);
    this.expectAnswer();
  }

  /** Somebody at the other end is to say something soon. */
  expectAnswer() {
    clearTimeout(this.patience);
    this.patience = setTimeout(() => this.hangUp(), LATE);
  }

  /** A network may go without a word: the socket would wait for minutes. */
  hangUp() {
    const { socket } = this;
    if (!socket) return;
    socket.onclose = null;
    socket.close();
    this.lost(socket);
  }

  connectNow() {
    if (this.closed || this.socket?.readyState === WebSocket.OPEN) return;
    clearTimeout(this.retry);
    this.connect();
  }

  /**
   * Begin anew, as somebody else: how things stand, without what was told before.
   * @returns {Promise<void>} when it is told
   */
  anew() {
    this.stream = "";
    this.connect();
    return new Promise((resolve) => (this.welcomed = resolve));
  }

  close() {
    this.closed = true;
    clearTimeout(this.retry);
    clearTimeout(this.patience);
    removeEventListener("online", this.comeBack);
    removeEventListener("offline", this.goneOffline);
    this.socket?.close();
  }

  /** @param {Message} message */
  heard(message) {
    if (message.type === "welcome") {
      this.attempts = 0;
      this.stream = message.stream ?? "";
      remember(this.table, this.stream);
      this.last = message.n ?? 0;
      this.ears.connected(true);
    }
    if (message.now) this.step = message.now.step ?? 0;
    for (const event of message.events ?? []) this.last = event.n;
    if (message.type === "welcome" || message.type === "news") this.ears.hear(message);
    if (message.type === "welcome") {
      this.welcomed();
      this.sendAgain();
    }
    this.answer(message);
    if (this.waiting.size) this.expectAnswer();
    else clearTimeout(this.patience);
  }

  /** @param {Message} message */
  answer(message) {
    const id = message.done ?? message.id;
    const waiting = id === undefined ? undefined : this.waiting.get(id);
    if (id === undefined || !waiting) return;
    this.waiting.delete(id);
    if (message.type === "refused") waiting.reject(new Refused(message.code ?? "", message.says ?? ""));
    else waiting.resolve(message.view ?? null);
  }

  /** @param {WebSocket} socket */
  async lost(socket) {
    if (socket !== this.socket || this.closed) return;
    clearTimeout(this.patience);
    this.ears.connected(false);
    if (this.attempts === 1 && (await this.isGone())) return;
    if (socket !== this.socket || this.closed) return;
    const pause = PAUSES[Math.min(this.attempts++, PAUSES.length - 1)];
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.connectNow(), pause * 1000);
  }

  /** A browser does not tell why a socket was refused; the same door without a socket does. */
  async isGone() {
    const answer = await fetch(`/api/tables/${this.table}?lang=${language()}`).catch(() => null);
    if (!answer || answer.ok || answer.status >= 500 || answer.status === 429) return false;
    const said = await answer.json();
    this.close();
    this.ears.gone(refused(answer.status, said));
    return true;
  }

  /**
   * A move that was not answered is sent again if nothing has happened since, for then it was not made; anything else
   * is left to the one who asked.
   */
  sendAgain() {
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
    if (this.socket?.readyState !== WebSocket.OPEN) return; // then it is sent when there is a connection again
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
   * Ask for something at the table (docs/api.md, commands).
   * @param {string} what
   * @param {Record<string, any>} [details]
   * @returns {Promise<void>}
   */
  async do(what, details = {}) {
    await this.request({ command: { do: what, ...details } });
  }

  /**
   * Make a move, unless something has happened that one has not seen.
   * @param {Move} move
   */
  play({ seat: _, ...move }) {
    return this.do("move", { move, step: this.step });
  }

  /**
   * What could be chosen next, after these choices of a move.
   * @param {number[]} begun
   * @returns {Promise<View>}
   */
  look(begun) {
    return this.request({ look: { begun } });
  }
}

/** @param {string} table */
function remembered(table) {
  try {
    return localStorage.getItem(`brocante stream ${table}`) ?? "";
  } catch {
    return ""; // a browser that keeps nothing
  }
}

/**
 * @param {string} table
 * @param {string} stream
 */
function remember(table, stream) {
  try {
    localStorage.setItem(`brocante stream ${table}`, stream);
  } catch {
    // then the talk is told once
  }
}
