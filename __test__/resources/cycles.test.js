"use strict";

// Opening and closing gives back all that it takes: file descriptors, threads, and the file itself.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { setImmediate } = require("node:timers/promises");
const { Kv, openKv } = require("../../index.js");
const { held, procIsMissing } = require("../support/proc.js");
const { rounds } = require("../support/seed.js");
const { openFile, temporaryFile, wholeFile } = require("../support/stores.js");

const CYCLES = 5000;

/** After so many the runtime has all the threads that it keeps. */
const WARM_UP = 20;

/** Milliseconds in which a thread that has answered its last request ends. */
const BOUND = 10_000;

/** Ways to use a handle before it is closed. */
const USES = [
  () => {},
  (kv) => kv.get(["k"]),
  (kv) => kv.set(["k"], 1),
  (kv) => kv.list({ prefix: [] }).next(),
];

const MANNERS = {
  /** Others keep the file open, so a cycle makes and removes no log. */
  async "a file that is open elsewhere too"(t) {
    const file = temporaryFile(t);
    await (await openFile(t, file)).set(["k"], 0);
    return () => openKv(file);
  },
  async "a store in memory"() {
    return () => new Kv();
  },
};

/** Asserts that the process holds no more than before, once the last threads have ended. */
async function assertGivenBack(before) {
  const end = performance.now() + BOUND;
  while (held().threads > before.threads && performance.now() < end) await setImmediate();
  const { descriptors, threads } = held();
  assert.equal(descriptors, before.descriptors);
  assert.ok(threads <= before.threads, `${threads - before.threads} threads more`);
}

for (const [name, prepare] of Object.entries(MANNERS)) {
  test(`open and close: ${name}`, { skip: procIsMissing }, async (t) => {
    const open = await prepare(t);
    const cycle = async (i) => {
      const kv = await open();
      await USES[i % USES.length](kv);
      await kv[Symbol.asyncDispose]();
    };
    for (let i = 0; i < WARM_UP; i++) await cycle(i);
    const before = held();
    for (let i = 0; i < rounds(CYCLES); i++) await cycle(i);
    await assertGivenBack(before);
  });
}

test("open and close: a file that nobody else has open", { skip: procIsMissing }, async (t) => {
  const file = temporaryFile(t);
  const before = held();
  for (let i = 0; i < rounds(CYCLES / 10); i++) {
    const kv = await openKv(file);
    await kv.set(["k"], i);
    // Not waited for: the next opens while this one closes.
    kv.close();
  }
  await wholeFile(file);
  await assertGivenBack(before);
});
