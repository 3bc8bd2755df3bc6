"use strict";

const { KvError, typeError } = require("./errors.js");
const { checkConsistency, inWords } = require("./options.js");

/** Entries in a page unless the caller says otherwise, as in Deno. */
const DEFAULT_BATCH = 100;
const LARGEST_DEFAULT_BATCH = 500;

/**
 * Entries of a range, fetched page by page; each page is one snapshot.
 *
 * As Deno's, it is its own iterator and goes on after a `break`. Wrong keys, cursors and batch
 * sizes reject at `next()`.
 */
class KvListIterator {
  #store;
  #range;
  #reverse;
  #batchSize;
  /** Entries that may still be yielded under the caller's limit. */
  #left;
  /** Why nothing can be listed at all. */
  #failure;
  #page = [];
  #next = 0;
  #exhausted = false;
  /** Of the entry yielded last: its encoded key, or the text that the caller gave. */
  #lastKey;
  #cursor;
  /** Calls of `next` that wait for a page, one after another. */
  #turn;

  constructor(store, selector, options = {}) {
    if (options === null) throw typeError("INVALID_ARGUMENT", "options must be an object");
    const { prefix, start, end } = readSelector(selector);
    const { limit, batchSize, cursor, reverse, consistency } = options;
    checkPositive("limit", limit);
    checkPositive("batchSize", batchSize);
    this.#store = store;
    this.#left = limit ?? Infinity;
    this.#batchSize =
      batchSize ?? Math.min(limit ?? DEFAULT_BATCH, LARGEST_DEFAULT_BATCH, store.largestPage);
    this.#reverse = reverse === true;
    try {
      if (store.closed) throw new KvError("CLOSED", "the store is closed");
      checkConsistency(consistency);
      this.#cursor = readCursor(cursor);
      this.#range = store.select({ prefix, start, end }, this.#batchSize);
    } catch (error) {
      this.#failure = error;
    }
  }

  /**
   * Where a list of the same selector goes on after the entry yielded last.
   * @throws {TypeError} INVALID_ARGUMENT before the first entry
   */
  get cursor() {
    if (this.#lastKey !== undefined) {
      this.#cursor = this.#store.cursor(this.#range, this.#lastKey);
      this.#lastKey = undefined;
    }
    if (this.#cursor === undefined) {
      throw typeError("INVALID_ARGUMENT", "Cannot get cursor before first iteration");
    }
    return this.#cursor;
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  /**
   * The first of several calls asks for its page at once, so that it sees the writes before it
   * and none after; the others take their turns.
   * @returns {Promise<{ done: boolean, value: object | undefined }>}
   */
  next() {
    if (this.#turn === undefined && this.#next < this.#page.length) return this.#take();
    const turn =
      this.#turn === undefined ? this.#fetchAndTake() : this.#turn.then(() => this.#fetchAndTake());
    const ended = turn.then(
      () => this.#endTurn(ended),
      () => this.#endTurn(ended),
    );
    this.#turn = ended;
    return turn;
  }

  #endTurn(ended) {
    if (this.#turn === ended) this.#turn = undefined;
  }

  async #fetchAndTake() {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#next === this.#page.length && !this.#exhausted && this.#left > 0) {
      if (this.#store.closed) return this.#end();
      const limit = Math.min(this.#batchSize, this.#left);
      const cursor = this.#lastKey === undefined ? (this.#cursor ?? "") : this.cursor;
      this.#page = await this.#store.page(this.#range, cursor, this.#reverse, limit);
      this.#next = 0;
      this.#exhausted = this.#page.length < limit;
    }
    return this.#next < this.#page.length ? this.#take() : this.#end();
  }

  #end() {
    // At its limit a list keeps the cursor to go on with; past its last entry there is none.
    if (this.#left > 0) {
      this.#cursor = "";
      this.#lastKey = undefined;
      this.#exhausted = true;
    }
    return { done: true, value: undefined };
  }

  async #take() {
    const { key, encodedKey, value, versionstamp, error } = this.#page[this.#next];
    this.#next += 1;
    this.#left -= 1;
    this.#lastKey = encodedKey;
    if (error !== undefined) throw Object.assign(error, { key, cursor: this.cursor });
    return { done: false, value: { key, value, versionstamp } };
  }
}

function readSelector(selector) {
  if (typeof selector !== "object" || selector === null) {
    throw typeError("INVALID_SELECTOR", "a list needs a selector");
  }
  const own = (name) => (Object.hasOwn(selector, name) ? selector[name] : undefined);
  const [prefix, start, end] = [own("prefix"), own("start"), own("end")];
  if (prefix === undefined && (start === undefined || end === undefined)) {
    throw typeError(
      "INVALID_SELECTOR",
      "Selector must specify either 'prefix' or both 'start' and 'end' key",
    );
  }
  return { prefix, start, end };
}

function checkPositive(name, value) {
  // Deno takes a batchSize of null for none.
  if (value === undefined || (name === "batchSize" && value === null)) return;
  if (typeof value !== "number" || !Number.isInteger(value) || value <= 0) {
    throw typeError(
      "INVALID_ARGUMENT",
      `${name} must be a positive integer: received ${inWords(value)}`,
    );
  }
}

/** Deno takes anything falsy for no cursor. */
function readCursor(cursor) {
  if (!cursor) return undefined;
  if (typeof cursor !== "string") throw typeError("INVALID_CURSOR", "a cursor is a string");
  return cursor;
}

module.exports = { KvListIterator };
