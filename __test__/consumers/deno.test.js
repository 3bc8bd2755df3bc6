"use strict";

/**
 * The consumer suite on real `Deno.Kv`: Deno runs it in a process of its own, and each of its cases is
 * reported here.
 */
const assert = require("node:assert/strict");
const path = require("node:path");
const { test } = require("node:test");
const { denoIsMissing, runDeno } = require("../support/deno.js");

test("consumer modules on real Deno.Kv", { skip: denoIsMissing }, async (t) => {
  const { denoCases } = await import("./deno-cases.mjs");
  const results = await runDeno(t, path.join(__dirname, "deno-suite.mjs"));
  const names = (cases) => cases.map(({ name }) => name);
  assert.deepEqual(names(results), names(denoCases()));
  for (const { name, error } of results) {
    await t.test(name, () => assert.equal(error, null));
  }
});
