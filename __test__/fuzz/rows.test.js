"use strict";

// A file whose rows a stranger has written: a list passes by what does not decode, everything else
// is there, and the process lives.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { rounds, seed, tellSeed } = require("../support/seed.js");
const { sqliteIsMissing } = require("../support/sqlite.js");
const { createFuzzer } = require("./targets/rows.js");

const FILLINGS = 160;

test("mutated rows are entries or codes", { skip: sqliteIsMissing }, async (t) => {
  const count = rounds(FILLINGS);
  tellSeed(t, count, "fillings");
  const fuzzer = await createFuzzer(seed);
  t.after(() => fuzzer.end());
  for (let i = 0; i < count; i++) await fuzzer.try(fuzzer.next());

  t.diagnostic(JSON.stringify(fuzzer.outcomes));
  for (const outcome of ["value", "CORRUPT", "CORRUPT_VALUE"]) {
    assert.ok(fuzzer.outcomes[outcome] > fuzzer.runs / 100, `hardly any ${outcome}`);
  }
});
