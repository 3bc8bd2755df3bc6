"use strict";

const { typeError } = require("./errors.js");
const { endsInVersionstamp } = require("./key.js");
const { checkExpireIn } = require("./options.js");
const { isU64, checkU64 } = require("./u64.js");

/** What the binding calls the mutations. */
const SET = 0;
const SET_SUFFIX_VERSIONSTAMP = 1;
const DELETE = 2;
const ARITHMETIC = { sum: 3, min: 4, max: 5 };

/**
 * Checks and changes that hold as a whole or not at all. Keys and values are taken when a method
 * is called; a wrong key rejects at `commit()`, as it does in Deno.
 */
class AtomicOperation {
  #store;
  #checks = [];
  #mutations = [];
  #failure;

  constructor(store) {
    if (store === undefined) throw typeError("INVALID_ARGUMENT", "call atomic() on a Kv instead");
    this.#store = store;
  }

  check(...checks) {
    for (const { key, versionstamp } of checks.map(checkPresent)) {
      this.#checks.push(this.#key(key), versionstamp ?? null);
    }
    return this;
  }

  mutate(...mutations) {
    for (const mutation of mutations.map(checkPresent)) this.#mutate(mutation);
    return this;
  }

  set(key, value, options) {
    return this.#set(key, value, options?.expireIn);
  }

  delete(key) {
    this.#mutations.push(DELETE, this.#key(key), undefined, undefined, undefined);
    return this;
  }

  sum(key, n) {
    return this.#arithmetic("sum", key, checkU64(n));
  }

  min(key, n) {
    return this.#arithmetic("min", key, checkU64(n));
  }

  max(key, n) {
    return this.#arithmetic("max", key, checkU64(n));
  }

  /**
   * @returns {Promise<{ ok: true, versionstamp: string } | { ok: false, failedChecks: number[] }>}
   */
  async commit() {
    if (this.#failure !== undefined) throw this.#failure;
    const outcome = await this.#store.commit(this.#checks, this.#mutations);
    return typeof outcome === "string"
      ? { ok: true, versionstamp: outcome }
      : { ok: false, failedChecks: outcome };
  }

  /** So that `await kv.atomic().set(...)` without `commit()` does not pass unnoticed. */
  then() {
    throw typeError(
      "INVALID_ARGUMENT",
      "'AtomicOperation' is not a promise: did you forget to call 'commit()'",
    );
  }

  #mutate(mutation) {
    const { type, key, value, expireIn } = mutation;
    const hasValue = Object.hasOwn(mutation, "value");
    if (type === "delete") {
      if (value) throw typeError("INVALID_ARGUMENT", "a delete mutation has no value");
      this.delete(key);
    } else if (type !== "set" && !(typeof type === "string" && Object.hasOwn(ARITHMETIC, type))) {
      throw typeError("INVALID_ARGUMENT", "a mutation's type is set, delete, sum, min or max");
    } else if (!hasValue) {
      throw typeError("INVALID_ARGUMENT", `a ${type} mutation needs a value`);
    } else if (type === "set") {
      this.#set(key, value, expireIn);
    } else if (isU64(value)) {
      this.#arithmetic(type, key, value.value);
    } else {
      this.#failure ??= typeError("INVALID_ARGUMENT", `a ${type} mutation needs a KvU64`);
    }
  }

  #set(key, value, expireIn) {
    checkExpireIn(expireIn);
    const stored = this.#store.encodeValue(value);
    const [kind, parts] = this.#taken(() => keyToSet(key)) ?? [SET];
    this.#mutations.push(kind, this.#key(parts), stored.bytes, stored.encoding, expireIn);
    return this;
  }

  #arithmetic(type, key, operand) {
    this.#mutations.push(ARITHMETIC[type], this.#key(key), operand, undefined, undefined);
    return this;
  }

  #key(key) {
    return this.#taken(() => this.#store.encodeKey(key));
  }

  /** What `take` gives; if it throws, `commit` will. */
  #taken(take) {
    try {
      return take();
    } catch (error) {
      this.#failure ??= error;
      return undefined;
    }
  }
}

/**
 * Commits a single set.
 * @returns {import("./embedded.js").Answer<string>} the versionstamp
 */
function commitSet(store, key, value, expireIn) {
  checkExpireIn(expireIn);
  const { encoding, bytes } = store.encodeValue(value);
  const [kind, parts] = keyToSet(checkArray(key));
  return store.commit([], [kind, parts, bytes, encoding, expireIn]);
}

/** Commits a single delete. */
function commitDelete(store, key) {
  return store.commit([], [DELETE, checkArray(key), undefined, undefined, undefined]);
}

/** The kind of a set, and the parts of its key that are known before the commit. */
function keyToSet(key) {
  return endsInVersionstamp(key) ? [SET_SUFFIX_VERSIONSTAMP, key.slice(0, -1)] : [SET, key];
}

/** A string would be taken for an encoded key. */
function checkArray(key) {
  if (Array.isArray(key)) return key;
  throw typeError("INVALID_KEY", "a key must be an array");
}

function checkPresent(part) {
  if (part !== undefined && part !== null) return part;
  throw typeError("INVALID_ARGUMENT", `a check or mutation must be an object: received ${part}`);
}

module.exports = { AtomicOperation, commitSet, commitDelete };
