"use strict";

// The record of what real Deno does is what the Deno of the test runtimes does.

const assert = require("node:assert/strict");
const path = require("node:path");
const { test } = require("node:test");
const { denoIsMissing, runDeno } = require("../support/deno.js");
const { deno, outcomes } = require("./recorded.js");

test("the record of Deno's behaviour is up to date", { skip: denoIsMissing }, async (t) => {
  const [version, ...now] = await runDeno(t, path.join(__dirname, "record-deno.mjs"));
  assert.deepEqual(version, { deno });
  const { cases } = await import("./cases.mjs");
  // How a race with close() ends is not the same every time.
  const racing = new Set(cases.filter(({ races }) => races).map(({ name }) => name));
  const settled = (list) => list.map((each) => (racing.has(each.name) ? each.name : each));
  assert.deepEqual(settled(now), settled(outcomes));
});
