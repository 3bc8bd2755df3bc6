"use strict";

const assert = require("node:assert/strict");
const v8 = require("node:v8");
const { decode, encode } = require("../../../js/codec");
const { ERROR_NAME_TAGS, VIEW_TAGS } = require("../../../js/codec/wire.js");
const { ValueFormat } = require("../../../js/value.js");
const { dice } = require("../../support/dice.js");
const { valueSeeds } = require("../corpus.js");
const { mutated } = require("../mutate.js");

const CODES = ["CORRUPT_VALUE", "NESTING_TOO_DEEP"];

/** Milliseconds that one decoding may take, on however busy a machine. */
const SLOWEST = 5_000;
/**
 * Memory that one decoding may take (bytes), whatever lengths its input claims: some for whatever
 * the engine does meanwhile, and some for each byte of input (an empty Set has three of them).
 */
const MEMORY = 2 ** 20;
const MEMORY_PER_BYTE = 512;

/** Inputs that are kept for what is new about them, and how long each may be (bytes). */
const MOST_UNITS = 5_000;
const LONGEST_UNIT = 4_096;

/** What stored objects are made by; not every runtime has a Float16Array. */
const MAKERS = [
  ..."Object Array Map Set Date RegExp Boolean Number String BigInt ArrayBuffer Error".split(" "),
  ...ERROR_NAME_TAGS.keys(),
  ...VIEW_TAGS.keys(),
].flatMap((name) => globalThis[name] ?? []);
const KINDS = new Map(MAKERS.map(({ prototype, name }) => [prototype, name]));

/** Runs between two looks at their prototypes. */
const PROTOTYPE_RUNS = 1_000;

/** The encoding of a value in V8's format, as js/value.js numbers it. */
const V8 = 1;

/** Tries mutated bytes as stored values. What gave something new is mutated further. */
class ValueFuzzer {
  #roll;
  #corpus;
  #seeds;
  #format = new ValueFormat();
  #shapes = new Set();
  #prototypes = prototypes();
  runs = 0;
  /** How often each outcome was seen: "value" or a code. */
  outcomes = { value: 0, CORRUPT_VALUE: 0, NESTING_TOO_DEEP: 0 };

  /**
   * @param {number} seed
   * @param {Buffer[]} seeds bytes of values
   */
  constructor(seed, seeds) {
    this.#roll = dice(seed);
    this.#corpus = [...seeds];
    this.#seeds = seeds.length;
  }

  /** Inputs kept so far beside the seeds. */
  get newUnits() {
    return this.#corpus.length - this.#seeds;
  }

  /** @returns {Buffer} what to try next */
  next() {
    return mutated(this.#corpus, this.#roll);
  }

  /** @throws {Error} when a promise about stored values does not hold for `bytes`; the cause says which */
  try(bytes) {
    try {
      const { value, error } = decodeWithin(bytes);
      this.outcomes[error?.code ?? "value"]++;
      const again = error === undefined ? comesBack(value) : undefined;
      this.#standsInPage(bytes, error?.code, again);
      this.#keep(bytes, error === undefined ? shapeOf(value) : messageShape(error));
      if (this.runs++ % PROTOTYPE_RUNS === 0) this.end();
    } catch (cause) {
      throw new Error(`the bytes ${bytes.toString("hex")}`, { cause });
    }
  }

  /** @throws {assert.AssertionError} when something was done to a prototype since the beginning */
  end() {
    assert.ok(prototypes().every((part, i) => Object.is(part, this.#prototypes[i])));
  }

  /** Other values stand before and after a value in a page: nothing of them is read. */
  #standsInPage(bytes, code, encoded) {
    const at = this.#roll(8);
    const packed = Buffer.alloc(at + 5 + bytes.length + 8, this.#roll(256));
    packed[at] = V8;
    packed.writeUInt32LE(bytes.length, at + 1);
    bytes.copy(packed, at + 5);
    const { value, error } = attempt(() => this.#format.decode(packed, at));
    assert.equal(error?.code, code);
    if (error === undefined) assert.deepEqual(Buffer.from(encode(value)), encoded);
  }

  #keep(bytes, shape) {
    if (bytes.length > LONGEST_UNIT || this.#shapes.has(shape)) return;
    if (this.newUnits === MOST_UNITS) return;
    this.#shapes.add(shape);
    this.#corpus.push(bytes);
  }
}

/** Decodes, and asserts that it takes little time and memory and fails by a code. */
function decodeWithin(bytes) {
  const heap = heapSize();
  const begun = performance.now();
  const outcome = attempt(() => decode(bytes));
  const took = performance.now() - begun;
  const grown = heapSize() - heap;
  assert.ok(took < SLOWEST, `it took ${took} ms`);
  assert.ok(grown < MEMORY + MEMORY_PER_BYTE * bytes.length, `it took ${grown} bytes`);
  if (outcome.error !== undefined && !CODES.includes(outcome.error.code)) throw outcome.error;
  return outcome;
}

/** In the heap and beside it (bytes). */
function heapSize() {
  const { used_heap_size, external_memory } = v8.getHeapStatistics();
  return used_heap_size + external_memory;
}

function attempt(work) {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}

/** @returns {Buffer} the value's bytes as we write them, of which the same value is read */
function comesBack(value) {
  const encoded = Buffer.from(encode(value));
  assert.deepEqual(Buffer.from(encode(decode(encoded))), encoded);
  return encoded;
}

/**
 * What kinds of things stand in a value, and where: a few of them, and not deep. Each has the
 * prototype of its kind, whatever its bytes say of `__proto__`.
 */
function shapeOf(value, depth = 3) {
  if (typeof value !== "object" || value === null) return typeof value;
  const kind = KINDS.get(Object.getPrototypeOf(value));
  assert.notEqual(kind, undefined, "an object of no kind");
  const inner = depth === 0 ? [] : partsOf(value).slice(0, 4);
  return `${kind}(${inner.map((part) => shapeOf(part, depth - 1))})`;
}

function partsOf(value) {
  if (value instanceof Map) return [...value].flat();
  if (value instanceof Set) return [...value];
  return ArrayBuffer.isView(value) || value instanceof String ? [] : Object.values(value);
}

/** What an error complains of, without what the bytes happened to hold. */
function messageShape({ message, cause }) {
  return cause?.name ?? message.replaceAll(/\d+/g, "#");
}

/** All that the prototypes consist of, in a row. */
function prototypes() {
  const parts = MAKERS.flatMap(({ prototype }) => [
    Object.getPrototypeOf(prototype),
    ...Reflect.ownKeys(prototype).flatMap((key) => {
      const { value, get, set } = Object.getOwnPropertyDescriptor(prototype, key);
      return [key, value, get, set];
    }),
  ]);
  return [parts.length, ...parts];
}

/** @returns {Promise<ValueFuzzer>} one that begins with values of every kind */
async function createFuzzer(seed) {
  return new ValueFuzzer(seed, await valueSeeds());
}

module.exports = { createFuzzer };
