"use strict";

// Values whose bytes a stranger has written: each decodes, to something that comes back, or fails by
// a code.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { rounds, seed, tellSeed } = require("../support/seed.js");
const { createFuzzer } = require("./targets/values.js");

const ROUNDS = 200_000;

test("mutated bytes give a value that comes back, or a code", async (t) => {
  const count = rounds(ROUNDS);
  tellSeed(t, count);
  const fuzzer = await createFuzzer(seed);
  while (fuzzer.runs < count) fuzzer.try(fuzzer.next());
  fuzzer.end();

  // Else the mutations are too tame, or too wild, to try anything.
  const { value, CORRUPT_VALUE } = fuzzer.outcomes;
  assert.ok(value > count / 20 && CORRUPT_VALUE > count / 20, JSON.stringify(fuzzer.outcomes));
  assert.ok(fuzzer.newUnits > 0);
  t.diagnostic(`${JSON.stringify(fuzzer.outcomes)}, ${fuzzer.newUnits} units kept`);
});
