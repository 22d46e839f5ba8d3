/** The part of the server's HTTP API (docs/api.md) that the page uses. */

import { Kept } from "./kept.js";
import { choose, settings } from "./settings.js";
import { haveWords, language, say } from "./words.js";

/** @import { GameInfo } from "./wire.js" */

/** Milliseconds to wait for a response to begin. */
const TIMEOUT = 20_000;

/** The server refused a request, or did not answer. */
export class Refused extends Error {
  /**
   * @param {string} code for programs
   * @param {string} says for people
   * @param {boolean} [mayPass] whether the same request may succeed later
   */
  constructor(code, says, mayPass = false) {
    super(says);
    this.code = code;
    this.mayPass = mayPass;
  }
}

/** The server does not answer. */
export const unreachable = () => new Refused("away", say("error.away"), true);

/**
 * Fetch something and read the response. Gives up after a timeout, or when the caller's signal aborts.
 * @template T
 * @param {string | URL} url
 * @param {RequestInit} init
 * @param {(response: Response) => Promise<T>} read
 * @returns {Promise<T>}
 */
export async function fetchFrom(url, init, read) {
  const late = new AbortController();
  const timeout = setTimeout(() => late.abort(), TIMEOUT);
  try {
    const signal = AbortSignal.any([late.signal, ...(init.signal ? [init.signal] : [])]);
    return await read(await fetch(url, { ...init, signal }).finally(() => clearTimeout(timeout)));
  } catch (error) {
    init.signal?.throwIfAborted();
    await haveWords();
    throw error instanceof Refused ? error : unreachable();
  }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>} data if the response is JSON, otherwise text
 */
async function request(method, path, body, signal) {
  const separator = path.includes("?") ? "&" : "?";
  /** @type {RequestInit} */
  const init = { method, signal: signal ?? null };
  if (body !== undefined) {
    init.headers = { "content-type": "application/json" };
    init.body = JSON.stringify(body);
  }
  return fetchFrom(`${path}${separator}lang=${language()}`, init, async (response) => {
    const isData = response.headers.get("content-type")?.startsWith("application/json");
    const content = isData ? await response.json() : await response.text();
    if (response.ok) return content;
    await haveWords();
    throw refusalOf(response.status, content);
  });
}

/**
 * The refusal that a response stands for.
 * @param {number} status
 * @param {{ code?: string, says?: string }} content
 */
export const refusalOf = (status, { code, says }) =>
  new Refused(code ?? "failed", says ?? say("error.failed"), status >= 500 || status === 429);

/**
 * @param {string} path
 * @param {AbortSignal} [signal]
 */
export const get = (path, signal) => request("GET", path, undefined, signal);

/**
 * @param {string} path
 * @param {unknown} [body]
 * @param {AbortSignal} [signal]
 */
export const post = (path, body = {}, signal) => request("POST", path, body, signal);

/** All games, by language. @type {Kept<GameInfo[]>} */
const games = new Kept(() => get("/api/games"));

/** All games, as the reader's language calls them. */
export const listGames = () => games.get(language());

/**
 * @param {string} slug
 */
export async function findGame(slug) {
  const found = (await listGames()).find((game) => game.slug === slug);
  if (!found) throw new Refused("no_game", say("error.no_game"));
  return found;
}

/**
 * The guest that this browser is, if any.
 * @param {AbortSignal} [signal]
 * @returns {Promise<{name: string} | null>}
 */
export async function me(signal) {
  if (!settings.guest) return null;
  return get("/api/me", signal).catch((error) => {
    if (!(error instanceof Refused) || error.mayPass) throw error;
    choose({ guest: false }); // the token has expired
    return null;
  });
}

/**
 * Make sure that this browser is a guest: the one it is already, or a new one.
 * @param {string} name
 * @param {AbortSignal} [signal]
 */
export async function beGuest(name, signal) {
  const guest = (await me(signal)) ?? (await post("/api/guests", { name }, signal));
  choose({ guest: true });
  return guest;
}

/** This player's share of the seed of a deal (docs/api.md, fair dealing). */
export function nonce() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
