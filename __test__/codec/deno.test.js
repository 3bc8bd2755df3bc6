"use strict";

const assert = require("node:assert/strict");
const path = require("node:path");
const { test } = require("node:test");
const { denoIsMissing, runDeno } = require("../support/deno.js");

test("on Deno, and read by Deno.Kv", { skip: denoIsMissing }, async (t) => {
  const { corpus } = await import("./corpus.mjs");
  const lines = await runDeno(t, path.join(__dirname, "deno.mjs"));
  const expected = Object.keys(corpus).map((name) => ({ name, wrong: [] }));
  assert.deepEqual(lines, expected);
});
