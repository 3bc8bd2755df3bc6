"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");
const v8 = require("node:v8");
const { decode, encode } = require("../../js/codec");
const { rounds, seed } = require("../support/seed.js");
const { readGolden } = require("./golden.js");

const ROUNDS = 400_000;
/** Milliseconds that one decoding may take, on however busy a machine. */
const BOUND = 5_000;
const CODES = new Set(["CORRUPT_VALUE", "NESTING_TOO_DEEP"]);

/** Bytes that mean something to a reader: tags, small lengths, ends of varints. */
const TELLING = [
  ..."_0TFINUZ\"cS^o{A$-a@;:',DRyxnzsB~VrmC.\\",
  "\0",
  "\x01",
  "\x7f",
  "\x80",
  "\xff",
].map((character) => character.charCodeAt(0));

/** Numbers from 0 to `below`, the same for the same seed (mulberry32). */
function dice(state) {
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const MUTATIONS = [
  (bytes, roll) => ((bytes[roll(bytes.length)] ^= 1 << roll(8)), bytes),
  (bytes, roll) => ((bytes[roll(bytes.length)] = roll(256)), bytes),
  (bytes, roll) => ((bytes[roll(bytes.length)] = TELLING[roll(TELLING.length)]), bytes),
  (bytes, roll) => bytes.slice(0, roll(bytes.length + 1)),
  (bytes, roll) => bytes.toSpliced(roll(bytes.length), 1 + roll(4)),
  (bytes, roll) => bytes.toSpliced(roll(bytes.length), 0, TELLING[roll(TELLING.length)]),
  (bytes, roll) => bytes.toSpliced(roll(bytes.length), 0, 0xff, 0xff, 0xff, 0xff, 0x0f),
  (bytes, roll, other) => [
    ...bytes.slice(0, roll(bytes.length)),
    ...other.slice(roll(other.length)),
  ],
  (bytes, roll) => {
    const start = roll(bytes.length);
    return bytes.toSpliced(start, 0, ...bytes.slice(start, start + roll(20)));
  },
];

test("mutated bytes give a value or a code", async (t) => {
  const { corpus } = await import("./corpus.mjs");
  const inputs = Object.values(corpus)
    .flatMap((make) => [encode(make()), v8.serialize(make())])
    .concat(readGolden().map(({ bytes }) => bytes))
    .filter((bytes) => bytes.length < 400)
    .map((bytes) => [...bytes]);
  const count = rounds(ROUNDS);
  t.diagnostic(`FENCEKV_SEED=${seed} (${count} runs)`);
  const roll = dice(seed);
  const untouched = prototypes();
  const seen = { value: 0, CORRUPT_VALUE: 0, NESTING_TOO_DEEP: 0 };

  for (let i = 0; i < count; i++) {
    let bytes = inputs[roll(inputs.length)].slice();
    for (let n = 1 + roll(3); n > 0 && bytes.length > 0; n--) {
      bytes = MUTATIONS[roll(MUTATIONS.length)](bytes, roll, inputs[roll(inputs.length)]);
    }
    const begun = performance.now();
    let outcome = "value";
    try {
      decode(Uint8Array.from(bytes));
    } catch (error) {
      outcome = error.code;
      assert.ok(CODES.has(outcome), `${Buffer.from(bytes).toString("hex")}: ${error.stack}`);
    }
    seen[outcome]++;
    const took = performance.now() - begun;
    assert.ok(took < BOUND, `${Buffer.from(bytes).toString("hex")} took ${took} ms`);
  }

  assert.ok(prototypes().every((part, i) => Object.is(part, untouched[i])));
  // Else the mutations are too tame, or too wild, to try anything.
  assert.ok(seen.value > count / 20 && seen.CORRUPT_VALUE > count / 20, JSON.stringify(seen));
});

/** All that the prototypes of values consist of, in a row. */
function prototypes() {
  const owners = [Object, Array, Map, Set, Date, RegExp, Error, TypeError, Uint8Array, ArrayBuffer];
  const parts = owners.flatMap(({ prototype }) => [
    Object.getPrototypeOf(prototype),
    ...Reflect.ownKeys(prototype).flatMap((key) => {
      const { value, get, set } = Object.getOwnPropertyDescriptor(prototype, key);
      return [key, value, get, set];
    }),
  ]);
  return [parts.length, ...parts];
}
