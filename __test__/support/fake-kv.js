"use strict";

/**
 * The plain in-memory store of a test suite, with the slice of `Deno.Kv` that consumer modules use:
 * get, set, delete, list, atomic. It works synchronously on a Map and shares no code with the
 * product, so the two can judge each other. Expiry is exact; the clock is looked up at each call.
 */
class FakeDenoKv {
  #rows = new Map(); // identity of the key -> { key, value, version, expiresAt }
  #version = 0n;
  #now;

  /** @param {{ now?: () => number }} [options] now: milliseconds since the epoch */
  constructor({ now = () => Date.now() } = {}) {
    this.#now = now;
  }

  async get(key) {
    return this.#entry(key);
  }

  async set(key, value, options) {
    return this.atomic().set(key, value, options).commit();
  }

  async delete(key) {
    await this.atomic().delete(key).commit();
  }

  async *list({ prefix, start, end }, { limit = Infinity } = {}) {
    const inside = ({ key }) =>
      isUnder(key, prefix) &&
      (start === undefined || compareKeys(key, start) >= 0) &&
      (end === undefined || compareKeys(key, end) < 0);
    const found = [...this.#rows.values()].filter((row) => this.#isLive(row) && inside(row));
    found.sort((a, b) => compareKeys(a.key, b.key));
    for (const { key } of found.slice(0, limit)) {
      const entry = this.#entry(key);
      if (entry.versionstamp !== null) yield entry;
    }
  }

  atomic() {
    const checks = [];
    const mutations = [];
    const operation = {
      check: (...more) => {
        checks.push(...more);
        return operation;
      },
      set: (key, value, { expireIn } = {}) => {
        mutations.push({ key, value: structuredClone(value), expireIn });
        return operation;
      },
      delete: (key) => {
        mutations.push({ key, gone: true });
        return operation;
      },
      commit: async () => this.#commit(checks, mutations),
    };
    return operation;
  }

  close() {
    this.#rows.clear();
  }

  #commit(checks, mutations) {
    const holds = ({ key, versionstamp }) => this.#entry(key).versionstamp === versionstamp;
    if (!checks.every(holds)) return { ok: false };
    this.#version += 1n;
    for (const { key, value, expireIn, gone } of mutations) {
      if (gone) {
        this.#rows.delete(identity(key));
      } else {
        const expiresAt = expireIn === undefined ? Infinity : this.#now() + expireIn;
        this.#rows.set(identity(key), { key: [...key], value, version: this.#version, expiresAt });
      }
    }
    return { ok: true, versionstamp: stamp(this.#version) };
  }

  #entry(key) {
    const row = this.#rows.get(identity(key));
    if (!this.#isLive(row)) return { key: [...key], value: null, versionstamp: null };
    return {
      key: [...row.key],
      value: structuredClone(row.value),
      versionstamp: stamp(row.version),
    };
  }

  #isLive(row) {
    return row !== undefined && this.#now() < row.expiresAt;
  }
}

/** 20 hex digits as Deno has it: eight bytes of version and two zero bytes. */
function stamp(version) {
  return version.toString(16).padStart(16, "0") + "0000";
}

function isUnder(key, prefix) {
  return key.length > prefix.length && compareKeys(key.slice(0, prefix.length), prefix) === 0;
}

function identity(key) {
  return JSON.stringify(
    key.map((part) => [rank(part), Buffer.from(bytesOf(part)).toString("hex")]),
  );
}

/** Kinds of parts in their order: bytes, strings, bigints, numbers, booleans. */
function rank(part) {
  return part instanceof Uint8Array
    ? 0
    : ["string", "bigint", "number", "boolean"].indexOf(typeof part) + 1;
}

function bytesOf(part) {
  if (part instanceof Uint8Array) return part;
  return Buffer.from(Object.is(part, -0) ? "-0" : String(part));
}

/** Part by part; a key sorts before its extensions. */
function compareKeys(a, b) {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compareParts(a[i], b[i]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareParts(a, b) {
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (rank(a) <= 1) return Buffer.compare(bytesOf(a), bytesOf(b));
  return Number(a > b) - Number(a < b);
}

module.exports = { FakeDenoKv };
