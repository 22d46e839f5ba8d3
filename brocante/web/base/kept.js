/** What has been fetched is kept; what could not be fetched is asked for again the next time. */

/** @template T */
export class Kept {
  /** @type {Map<string, Promise<T>>} */
  #found = new Map();

  /**
   * @param {(key: string) => Promise<T>} fetch
   * @param {number} [most] how many are kept: those that were asked for last
   */
  constructor(fetch, most = Infinity) {
    this.fetch = fetch;
    this.most = most;
  }

  /** @param {string} key */
  get(key) {
    const found = this.#found.get(key) ?? this.fetch(key);
    this.put(key, found);
    found.catch(() => this.#found.delete(key));
    return found;
  }

  /**
   * Keep what came another way.
   * @param {string} key
   * @param {Promise<T>} found
   */
  put(key, found) {
    this.#found.delete(key);
    this.#found.set(key, found);
    if (this.#found.size > this.most) this.#found.delete([...this.#found.keys()][0]);
  }
}
