"use strict";

const assert = require("node:assert/strict");
const { createHash } = require("node:crypto");
const { encode } = require("../../../js/codec");
const { dice } = require("../../support/dice.js");
const { Sqlite } = require("../../support/sqlite.js");
const { endings, openFile, temporaryFile } = require("../../support/stores.js");
const { keySeeds, valueSeeds } = require("../corpus.js");
const { mutated } = require("../mutate.js");

const CODES = ["CORRUPT", "CORRUPT_VALUE", "NESTING_TOO_DEEP", "TYPE_MISMATCH"];

const ROWS = 150;
/** So many times a file is filled with rows before it is closed. */
const FILLINGS = 8;
/** Longer keys may not be read (bytes). */
const LONGEST_KEY = 400;

const NOW = 1_000_000;

/** Fills files with mutated rows, behind the store's back, and uses the store. */
class RowsFuzzer {
  #roll;
  #keys;
  #values;
  /** The file in use. */
  #store;
  /** Rows that a list came by. */
  runs = 0;
  /** How often each outcome of a row was seen: "value" or a code. */
  outcomes = {};

  /**
   * @param {number} seed
   * @param {{ keys: Buffer[], values: Buffer[] }} seeds bytes of keys and of values
   */
  constructor(seed, { keys, values }) {
    this.#roll = dice(seed);
    this.#keys = keys;
    this.#values = values;
  }

  /**
   * Columns of any type, as SQLite lets them be; most often those of a KV.
   * @returns {Buffer} the statement that fills a file
   */
  next() {
    const rows = Array.from({ length: ROWS }, () => {
      const key = this.#bytes(this.#keys).subarray(0, LONGEST_KEY);
      const value = this.#bytes(this.#values);
      const columns = [
        this.#column([blob(key)], ["'text'", "7"]),
        this.#column([blob(value)], ["'text'", "7", "0.5", "x''"]),
        this.#column([1, 1, 1, 1, 2, 3], [0, 4, 255, 256, -1, `${2n ** 63n - 1n}`, "'text'", 0.5]),
        this.#column([this.#roll(1000)], [-1, `${-(2n ** 63n)}`, "'text'", 0.5]),
        this.#column([-1, -1, -1, NOW, NOW + 1], [-2, `${2n ** 63n - 1n}`, "'text'", 0.5]),
      ];
      return `(${columns})`;
    });
    return Buffer.from(
      `insert or replace into kv (k, v, v_encoding, version, expiration_ms) values ${rows}`,
    );
  }

  /** @throws {Error} when a promise about stored rows does not hold for these; the cause says which */
  async try(statement) {
    this.#store ??= await open();
    const { kv, sqlite } = this.#store;
    try {
      await sqlite.run("delete from kv");
      await sqlite.run(statement.toString());
      await this.#judge(kv, sqlite, choicesFor(statement));
    } catch (cause) {
      throw new Error(`the rows of ${statement}`, { cause });
    }
    this.#store.fillings++;
    if (this.#store.fillings === FILLINGS) await this.end();
  }

  /** Closes the file. */
  async end() {
    await this.#store?.context.end();
    this.#store = undefined;
  }

  /** A few seeds one after another, which make a key if each does, or what mutation makes of some. */
  #bytes(seeds) {
    if (this.#roll(2) === 0) return mutated(seeds, this.#roll);
    const pick = () => seeds[this.#roll(seeds.length)];
    return Buffer.concat(Array.from({ length: 1 + this.#roll(3) }, pick));
  }

  #column(usual, strange) {
    const choices = this.#roll(20) === 0 ? strange : usual;
    return choices[this.#roll(choices.length)];
  }

  async #judge(kv, sqlite, roll) {
    const [{ count }] = await sqlite.run(
      "select count(*) as count from kv where k >= x'00' and k < x'ff' " +
        `and (expiration_ms < 0 or expiration_ms > ${NOW})`,
    );
    const batchSize = 1 + roll(ROWS);
    const found = await list(kv, { batchSize });
    assert.equal(found.length, count);
    const reversed = await list(kv, { batchSize, reverse: true });
    assert.deepEqual(reversed.reverse().map(describe), found.map(describe));

    for (const [index, outcome] of found.entries()) {
      this.runs++;
      const name = outcome.error?.code ?? "value";
      this.outcomes[name] = (this.outcomes[name] ?? 0) + 1;
      if (outcome.error) await goesOn(kv, outcome.error, found[index + 1]);
      if (isNameable(outcome.key)) await isTheSameAlone(kv, outcome);
    }
    for (const { key, versionstamp } of found) {
      if (isNameable(key) && roll(4) === 0) await write(kv, key, versionstamp, roll);
    }
    await settled(kv.sweepExpired());
    const [{ integrity_check: integrity }] = await sqlite.run("pragma integrity_check");
    assert.equal(integrity, "ok");
  }
}

/** A store, a stranger on its file, and what ends both. */
async function open() {
  const context = endings();
  const file = temporaryFile(context);
  const kv = await openFile(context, file, { now: () => NOW });
  return { kv, sqlite: new Sqlite(context, file), context, fillings: 0 };
}

/** What is rolled while rows are judged follows from the rows, so that they are all a replay needs. */
function choicesFor(statement) {
  return dice(createHash("sha256").update(statement).digest().readInt32LE());
}

/** Whatever `next` gives, in order: entries and errors. */
async function list(kv, options) {
  const entries = kv.list({ prefix: [] }, options);
  const found = [];
  for (;;) {
    const { value: result, error } = await settled(entries.next());
    if (error === undefined && result.done) return found;
    if (error !== undefined) assert.equal(error.cursor, entries.cursor);
    found.push(error === undefined ? result.value : { key: error.key, error });
    assert.ok(found.length <= ROWS, "the list does not end");
  }
}

/** A list goes on from the cursor of an error. */
async function goesOn(kv, { cursor }, following) {
  const entries = kv.list({ prefix: [] }, { cursor, limit: 1 });
  const { value: result, error } = await settled(entries.next());
  if (following === undefined) assert.equal(result.done, true);
  else if (error !== undefined) assert.equal(error.code, following.error?.code);
  else assert.deepEqual(describe(result.value), describe(following));
}

/** Every NaN is one in JavaScript, but the sign of one makes another key. */
function isNameable(key) {
  return key !== undefined && key.every((part) => !Number.isNaN(part));
}

async function isTheSameAlone(kv, outcome) {
  const { value: entry, error } = await settled(kv.get(outcome.key));
  assert.deepEqual(describe(entry ?? { key: outcome.key, error }), describe(outcome));
}

/** A commit lands, and is seen to, or fails by a code. */
async function write(kv, key, versionstamp, roll) {
  const op = kv.atomic();
  if (versionstamp !== undefined) op.check({ key, versionstamp });
  const act = ["set", "delete", "sum", "max"][roll(4)];
  if (act === "delete") op.delete(key);
  else if (act === "set") op.set(key, "new");
  else op[act](key, 7n);
  const { value: result } = await settled(op.commit());
  if (!result?.ok || act === "sum" || act === "max") return;
  assert.equal((await kv.get(key)).value, act === "set" ? "new" : null);
}

const blob = (bytes) => `x'${bytes.toString("hex")}'`;

/** What a promise came to; an error must have one of the codes. */
async function settled(promise) {
  try {
    return { value: await promise };
  } catch (error) {
    if (!CODES.includes(error.code)) throw error;
    return { error };
  }
}

/** An entry, or the error in its place, such that equal ones compare equal. */
function describe({ key, value, versionstamp, error }) {
  if (error !== undefined) return { key, code: error.code };
  return { key, versionstamp, bytes: Buffer.from(encode(value)) };
}

/** @returns {Promise<RowsFuzzer>} one that begins with keys and values of every kind */
async function createFuzzer(seed) {
  return new RowsFuzzer(seed, { keys: keySeeds(), values: await valueSeeds() });
}

module.exports = { createFuzzer };
