"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { valueSeeds } = require("../fuzz/corpus.js");
const { ValueFuzzer } = require("../fuzz/values.js");
const { rounds, seed } = require("../support/seed.js");

const ROUNDS = 200_000;

test("mutated bytes give a value that comes back, or a code", async (t) => {
  const count = rounds(ROUNDS);
  t.diagnostic(`FENCEKV_SEED=${seed} (${count} runs)`);
  const fuzzer = new ValueFuzzer(seed, await valueSeeds());
  while (fuzzer.runs < count) fuzzer.try(fuzzer.next());
  fuzzer.end();

  // Else the mutations are too tame, or too wild, to try anything.
  const { value, CORRUPT_VALUE } = fuzzer.outcomes;
  assert.ok(value > count / 20 && CORRUPT_VALUE > count / 20, JSON.stringify(fuzzer.outcomes));
  assert.ok(fuzzer.newUnits > 0);
  t.diagnostic(`${JSON.stringify(fuzzer.outcomes)}, ${fuzzer.newUnits} units kept`);
});
