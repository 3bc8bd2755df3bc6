"use strict";

// Memory stays flat over a million operations, refused ones among them.

const assert = require("node:assert/strict");
const path = require("node:path");
const { test } = require("node:test");
const { start, succeed } = require("../support/programs.js");
const { rounds } = require("../support/seed.js");
const { temporaryFile } = require("../support/stores.js");

const ENDURANCE = path.join(__dirname, "programs/endurance.js");
const GETS = 1_000_000;
const REFUSALS = 100_000;

/** Bytes by which the resident set may grow. */
const GROWTH = 20e6;

/** Milliseconds in which the program ends, on a slow machine too. */
const BOUND = 10 * 60_000;

for (const [name, storeOf] of Object.entries({
  "in memory": () => ":memory:",
  "on a file": temporaryFile,
})) {
  test(`memory stays flat: ${name}`, async (t) => {
    const args = [storeOf(t), rounds(GETS), rounds(REFUSALS)].map(String);
    const program = start(t, process.execPath, ["--expose-gc", ENDURANCE, ...args], {
      timeout: BOUND,
    });
    const [grown] = await succeed(program);
    t.diagnostic(`${args[1]} gets and ${args[2]} refusals: ${grown} bytes`);
    assert.ok(grown < GROWTH, `the process has grown by ${grown} bytes`);
  });
}
