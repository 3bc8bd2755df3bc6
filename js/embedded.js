"use strict";

const { resolve } = require("node:path");
const { fromFailure } = require("./errors.js");
const { Lanes } = require("./lanes.js");
const { native } = require("./native.js");
const { checkNow } = require("./options.js");
const { ValueFormat, nextPacked } = require("./value.js");

/** Writes always wait on this lane. */
const WRITER = 0;

/** Where the binding leaves the values of a quick read until the next; most pages fit. */
const scratch = new Uint8Array(1 << 18);

/**
 * What a store answers: at once if it can, else later.
 * @template T
 * @typedef {T | Promise<T>} Answer
 */

/**
 * A store in memory or on a file, in terms of JS keys and values. `Kv`, `AtomicOperation` and
 * `KvListIterator` stand on this shape; whatever else can store is to have the same.
 */
class EmbeddedStore {
  #native;
  #lanes = new Lanes();
  #format;
  #now;
  /** Until the threads of a closed store have ended. */
  #ended;

  /**
   * @param {string} path a file, or ":memory:"
   * @param {object} options checked: see options.js
   */
  constructor(path, { now, durability = "full", busyTimeoutMs = 10_000, limits = {}, ...format }) {
    this.#now = now;
    this.#format = new ValueFormat(format);
    const file = path === ":memory:" ? undefined : resolve(path);
    this.#native = new (native().NativeStore)(
      file && { path: file, fullDurability: durability === "full", busyTimeoutMs },
      limits,
      scratch,
      fromFailure,
      this.#lanes.settle,
    );
    this.isFile = file !== undefined;
    /** Entries that a page may have at most; with a limit of none, a page of one is refused. */
    this.largestPage = Math.max(1, limits.batchSize ?? Infinity);
  }

  get closed() {
    return this.#ended !== undefined;
  }

  /** Milliseconds since 1970, by the option `now`, else by `Date.now` as it is at this call. */
  now() {
    return checkNow(this.#now === undefined ? Date.now() : this.#now());
  }

  /** Creates and migrates the file. */
  open() {
    if (!this.isFile) return Promise.resolve();
    this.#native.open();
    return this.#lanes.wait(this.#native, WRITER);
  }

  /** @returns {Answer<{ value: unknown, versionstamp: string } | null>} */
  get(key) {
    const found = this.#native.get(key, this.now());
    if (found === null) return null;
    if (typeof found === "string") {
      return { value: this.#format.decode(scratch, 0), versionstamp: found };
    }
    // The lane it waits on, or a value that was too large for the scratch buffer.
    if (typeof found !== "number") return this.#point(found);
    return this.#lanes.wait(this.#native, found).then((reply) => this.#point(reply));
  }

  #point([packed, versionstamp]) {
    return versionstamp && { value: this.#format.decode(packed, 0), versionstamp };
  }

  /** @returns {Answer<({ value: unknown, versionstamp: string } | null)[]>} one snapshot */
  getMany(keys) {
    const reply = this.#native.getMany(keys, this.now());
    if (typeof reply !== "number") return this.#points(reply);
    return this.#lanes.wait(this.#native, reply).then((reply) => this.#points(reply));
  }

  #points(reply) {
    const [buffer = scratch, ...versionstamps] = reply;
    const packed = this.#format.stable(buffer);
    let at = 0;
    return versionstamps.map((versionstamp) => {
      if (versionstamp === null) return null;
      const value = this.#format.decode(packed, at);
      at = nextPacked(packed, at);
      return { value, versionstamp };
    });
  }

  /** @returns {string} the encoded key, to be handed back only */
  encodeKey(key) {
    return this.#native.encodeKey(key);
  }

  /** @returns {{ encoding: number, bytes: Uint8Array }} */
  encodeValue(value) {
    return this.#format.encode(value);
  }

  /**
   * Commits at the time of this call.
   * @param {unknown[]} checks `[encoded key, versionstamp | null, ...]`
   * @param {unknown[]} mutations see atomic.js
   * @returns {Answer<string | number[]>} the versionstamp, or which checks failed
   */
  commit(checks, mutations) {
    const outcome = this.#native.commit(checks, mutations, this.now());
    return this.isFile ? this.#lanes.wait(this.#native, WRITER) : outcome;
  }

  /** @returns {[string, string]} the range of a selector, to be handed back only */
  select({ prefix, start, end }, batchSize) {
    return this.#native.select(prefix, start, end, batchSize);
  }

  /**
   * A page of a range past `cursor` ("" is from its beginning).
   * @returns {Answer<object[]>} `{ key, encodedKey, versionstamp, value }`, or with
   *   `error` instead of the value (and no key) where bytes do not decode
   */
  page(range, cursor, reverse, limit) {
    const reply = this.#native.page(range, cursor, reverse, limit, this.now());
    if (typeof reply !== "number") return this.#entries(reply);
    return this.#lanes.wait(this.#native, reply).then((reply) => this.#entries(reply));
  }

  #entries(reply) {
    const packed = this.#format.stable(reply[0] ?? scratch);
    const entries = [];
    let at = 0;
    for (let index = 1; index < reply.length; index += 3) {
      const entry = {
        key: reply[index],
        encodedKey: reply[index + 1],
        versionstamp: reply[index + 2],
        value: undefined,
        error: undefined,
      };
      try {
        if (entry.key === undefined) throw undecodableKey();
        entry.value = this.#format.decode(packed, at);
      } catch (error) {
        entry.error = error;
      }
      at = nextPacked(packed, at);
      entries.push(entry);
    }
    return entries;
  }

  /** @returns {string} where a list goes on past an entry */
  cursor(range, encodedKey) {
    return this.#native.cursor(range, encodedKey);
  }

  /**
   * Removes up to a chunk of entries that expired at or before `now`.
   * @returns {Answer<[number, boolean]>} how many, and whether there may be more
   */
  sweep(now) {
    const swept = this.#native.sweep(now);
    return this.isFile ? this.#lanes.wait(this.#native, WRITER) : swept;
  }

  /**
   * Calls after this reject; what was asked before is settled.
   * @returns {Promise<void>} until all is settled and the file is closed
   */
  close() {
    this.#ended ??= this.#lanes.end(this.#native, this.#native.close());
    return this.#ended;
  }
}

function undecodableKey() {
  return fromFailure({ code: "CORRUPT", message: "a stored key does not decode" });
}

module.exports = { EmbeddedStore };
