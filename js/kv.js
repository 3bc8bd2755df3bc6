"use strict";

const { AtomicOperation, commitSet, commitDelete } = require("./atomic.js");
const { EmbeddedStore } = require("./embedded.js");
const { typeError } = require("./errors.js");
const { COMMIT_VERSIONSTAMP, copyKey } = require("./key.js");
const { KvListIterator } = require("./list.js");
const { checkConsistency, checkNow, readOptions, readPath } = require("./options.js");

/** Opens a store: `new Kv(path, options)` whose file has been created, opened and migrated. */
let openKv;

/** A key-value store with the API of `Deno.Kv`; index.d.ts says what each member takes and gives. */
class Kv {
  #store;

  /**
   * Checks its arguments only: a file is opened by the first operation, which reports trouble.
   * @param {string} [path] a file, or ":memory:" for a store of its own
   * @param {object} [options]
   */
  constructor(path, options) {
    this.#store = new EmbeddedStore(readPath(path), readOptions(options));
  }

  async get(key, options) {
    checkConsistency(options?.consistency);
    const answer = this.#store.get(key);
    const copy = copyKey(key);
    return entry(key, copy, answer instanceof Promise ? await answer : answer);
  }

  async getMany(keys, options) {
    if (!Array.isArray(keys)) throw typeError("INVALID_ARGUMENT", "getMany takes an array of keys");
    checkConsistency(options?.consistency);
    const answer = this.#store.getMany(keys);
    const asked = Array.from(keys, (key) => [key, copyKey(key)]);
    const found = await answer;
    return asked.map(([key, copy], index) => entry(key, copy, found[index] ?? null));
  }

  async set(key, value, options) {
    const answer = commitSet(this.#store, key, value, options?.expireIn);
    return { ok: true, versionstamp: answer instanceof Promise ? await answer : answer };
  }

  async delete(key) {
    await commitDelete(this.#store, key);
  }

  list(selector, options) {
    return new KvListIterator(this.#store, selector, options);
  }

  atomic() {
    return new AtomicOperation(this.#store);
  }

  commitVersionstamp() {
    return COMMIT_VERSIONSTAMP;
  }

  async sweepExpired(now) {
    const until = now === undefined ? this.#store.now() : checkNow(now);
    let total = 0;
    let more = true;
    // Closed in between, it is done: what was removed so far is what it removed.
    while (more && !(total > 0 && this.#store.closed)) {
      let count;
      [count, more] = await this.#store.sweep(until);
      total += count;
    }
    return total;
  }

  close() {
    this.#store.close();
  }

  [Symbol.dispose]() {
    this.close();
  }

  async [Symbol.asyncDispose]() {
    await this.#store.close();
  }

  static {
    openKv = async (path, options) => {
      const kv = new Kv(path, options);
      try {
        await kv.#store.open();
        return kv;
      } catch (error) {
        await kv.#store.close();
        throw error;
      }
    };
  }
}

/** As Deno has it, an absent entry bears the caller's own key, a found one a key of its own. */
function entry(key, copy, found) {
  if (found === null) return { key, value: null, versionstamp: null };
  return { key: copy, value: found.value, versionstamp: found.versionstamp };
}

module.exports = { Kv, openKv };
