"use strict";

// The totals line is only as good as the reading of what cargo prints.

const assert = require("node:assert/strict");
const { describe, test } = require("node:test");
const { readCargoTest } = require("../../scripts/suites/rust.js");
const { Tally } = require("../../scripts/suites/tally.js");

const TWO_PROGRAMS = `
running 3 tests
test key::order ... ok
test key::needs_tool ... ignored, no tool
test key::old ... ignored

test result: ok. 1 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.00s

running 2 tests
test crates/kv/src/lib.rs - (line 3) ... ok
test commit::sum ... FAILED

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s
`;

describe("cargo's output", () => {
  test("several programs are added up, skips and failures named", () => {
    const tally = readCargoTest(TWO_PROGRAMS, 101);
    assert.equal(tally.passed, 2);
    assert.deepEqual(tally.failed, ["rust: commit::sum"]);
    assert.deepEqual(tally.skipped, [
      { name: "rust: key::needs_tool", reason: "no tool" },
      { name: "rust: key::old", reason: "ignored" },
    ]);
  });

  test("a build that fails is a failure", () => {
    assert.equal(readCargoTest("", 101).failed.length, 1);
  });

  test("a program that dies after others were done is a failure", () => {
    const [first] = TWO_PROGRAMS.split("running 2 tests");
    assert.equal(readCargoTest(`${first}\nrunning 1 test\n`, 101).failed.length, 1);
  });

  test("a failure whose line was torn by a test's own print is still a failure", () => {
    const torn = TWO_PROGRAMS.replace("commit::sum ... FAILED", "commit::sum ... hello\nFAILED");
    assert.equal(readCargoTest(torn, 101).failed.length, 1);
  });
});

describe("a tally", () => {
  test("is empty when nothing ran, skips or not", () => {
    const tally = new Tally();
    tally.skipped.push({ name: "a", reason: "no tool" });
    assert.equal(tally.isEmpty, true);
    tally.passed += 1;
    assert.equal(tally.isEmpty, false);
  });

  test("takes up what another suite found", () => {
    const tally = readCargoTest(TWO_PROGRAMS, 101);
    tally.add(readCargoTest(TWO_PROGRAMS, 101));
    assert.deepEqual([tally.passed, tally.failed.length, tally.skipped.length], [4, 2, 4]);
  });
});
