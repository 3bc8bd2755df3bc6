"use strict";

// Six runtimes, one surface: each runs surface.mjs, one after another, and hands the same file on to
// the next. All must be there, in the versions that are promised, and make the same assertions.

const assert = require("node:assert/strict");
const path = require("node:path");
const { test } = require("node:test");
const fencekv = require("../../index.js");
const { succeed } = require("../support/programs.js");
const { RUNTIMES, startOn } = require("../support/runtimes.js");
const { openFile, temporaryFile, temporaryFolder } = require("../support/stores.js");

const SURFACE = path.join(__dirname, "surface.mjs");
/** Who begins, and who ends, the handing on of the file. */
const HERE = "this process";

test("the six runtimes make the same assertions on the whole surface, and read one another's file", async (t) => {
  const { compareAll, writeAll } = await import("../interop/exchange.mjs");
  const shared = temporaryFile(t);
  const first = await openFile(t, shared);
  await writeAll(first, fencekv, HERE);
  await first[Symbol.asyncDispose]();

  const counts = new Map();
  let before = HERE;
  for (const runtime of RUNTIMES) {
    await t.test(runtime.name, async (t) => {
      const args = [temporaryFolder(t), shared, before, runtime.name];
      const [report] = await succeed(startOn(t, runtime, SURFACE, args));
      assert.ok(runtime.name.startsWith(report.name), `${report.name} ran in place of it`);
      assert.ok(report.version.startsWith(runtime.version), `it is ${report.version}`);
      const line = `${report.name} ${report.version}: ${report.assertions} assertions`;
      console.log(line);
      t.diagnostic(line);
      counts.set(runtime.name, report.assertions);
      before = runtime.name;
    });
  }
  assert.deepEqual(
    [...counts.keys()],
    RUNTIMES.map(({ name }) => name),
  );
  assert.equal(new Set(counts.values()).size, 1, `they differ: ${[...counts]}`);

  const last = await openFile(t, shared);
  assert.deepEqual(await compareAll(last, fencekv, before), []);
});
