"use strict";

// Any sequence of operations, one after another, gives what the model gives; on a file also when it
// is closed and opened again in between.

const { test } = require("node:test");
const fc = require("fast-check");
const { Kv, openKv } = require("../../index.js");
const { Duel } = require("../support/duel.js");
const { operations } = require("../support/operations.js");
const { holds } = require("../support/seed.js");
const { temporaryFolder } = require("../support/stores.js");

const RUNS = 500;
const START = 1_000_000;

const weighted = { commit: 5, set: 4, get: 3, getMany: 2, list: 4, advance: 2, sweep: 1 };
const steps = Object.entries(weighted).map(([name, weight]) => ({
  weight,
  arbitrary: operations[name],
}));
const reopen = { weight: 1, arbitrary: fc.constant({ type: "reopen" }) };

const sequence = (choices) => fc.array(fc.oneof(...choices), { minLength: 5, maxLength: 40 });

/** Asserts that a store answers as the model does; `reopen` gives another handle on the same store. */
async function judge(kv, clock, sequence, reopen) {
  const duel = new Duel(kv, clock);
  for (const step of sequence) {
    if (step.type === "reopen") {
      duel.kv = await reopen();
    } else {
      duel.start(step);
      await duel.settle();
    }
  }
  duel.start({ type: "list", selector: { prefix: [] }, options: {} });
  await duel.settle();
}

test("in memory", async (t) => {
  const property = fc.asyncProperty(sequence(steps), async (sequence) => {
    const clock = { ms: START };
    const kv = new Kv(":memory:", { now: () => clock.ms });
    await judge(kv, clock, sequence);
    kv.close();
  });
  await holds(t, property, RUNS);
});

test("on a file", async (t) => {
  const folder = temporaryFolder(t);
  let count = 0;
  const property = fc.asyncProperty(sequence([...steps, reopen]), async (sequence) => {
    const clock = { ms: START };
    const path = `${folder}/${count++}.db`;
    let kv;
    const open = async () => {
      await kv?.[Symbol.asyncDispose]();
      kv = await openKv(path, { now: () => clock.ms });
      return kv;
    };
    try {
      await judge(await open(), clock, sequence, open);
    } finally {
      await kv[Symbol.asyncDispose]();
    }
  });
  await holds(t, property, RUNS);
});
