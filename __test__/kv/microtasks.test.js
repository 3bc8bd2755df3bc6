"use strict";

// In memory every operation settles in microtasks: no timer, no I/O and no other turn of the event
// loop is needed, and Date.now is looked up at each call, so fake timers rule the whole store.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { Kv } = require("../../index.js");
const { collect } = require("../support/stores.js");

/** More than any operation below takes, a list of 1000 batches included. */
const MOST_TURNS = 20_000;

/** Each is run on a store with a thousand entries. */
const OPERATIONS = {
  get: (kv) => kv.get(["k", 1]),
  "get of what is absent": (kv) => kv.get(["absent"]),
  getMany: (kv) => kv.getMany([["k", 1], ["absent"]]),
  set: (kv) => kv.set(["new"], { n: 1 }, { expireIn: 50 }),
  delete: (kv) => kv.delete(["k", 2]),
  commit: (kv) => kv.atomic().set(["a"], 1).sum(["n"], 1n).delete(["k", 3]).commit(),
  "commit that is refused": (kv) =>
    kv
      .atomic()
      .check({ key: ["k", 1], versionstamp: null })
      .commit(),
  "commit that fails": (kv) => kv.atomic().sum(["k", 1], 1n).commit(),
  "misuse of get": (kv) => kv.get([]),
  "misuse of list": (kv) => kv.list({ prefix: ["k"] }, { cursor: "?" }).next(),
  "next of a list": (kv) => kv.list({ prefix: ["k"] }).next(),
  "a list in batches of 1": (kv) => collect(kv.list({ prefix: ["k"] }, { batchSize: 1 })),
  "a list backwards": (kv) => collect(kv.list({ prefix: ["k"] }, { reverse: true })),
  sweepExpired: (kv) => kv.sweepExpired(Number.MAX_SAFE_INTEGER),
  "500 operations at once": (kv) =>
    Promise.all(
      Array.from({ length: 500 }, (_, i) => (i % 2 ? kv.get(["k", i]) : kv.set(["k", i], 0))),
    ),
  asyncDispose: (kv) => kv[Symbol.asyncDispose](),
  "get after close": (kv) => {
    kv.close();
    return kv.get(["k", 1]);
  },
};

async function filled(t) {
  const kv = new Kv();
  t.after(() => kv.close());
  const op = kv.atomic();
  for (let i = 0; i < 1000; i++) op.set(["k", i], i, { expireIn: 1_000_000 });
  await op.commit();
  return kv;
}

for (const [name, run] of Object.entries(OPERATIONS)) {
  test(`${name} settles in microtasks`, async (t) => {
    const kv = await filled(t);
    const turned = [];
    setTimeout(() => turned.push("setTimeout"), 0);
    setImmediate(() => turned.push("setImmediate"));
    const { port1, port2 } = new MessageChannel();
    port2.on("message", () => turned.push("MessageChannel"));
    port1.postMessage(0);
    t.after(() => port1.close());

    let settled = false;
    run(kv).then(
      () => (settled = true),
      () => (settled = true),
    );
    for (let turn = 0; turn < MOST_TURNS && !settled; turn++) await null;
    assert.ok(settled, `not settled after ${MOST_TURNS} turns of the microtask queue`);
    assert.deepEqual(turned, []);
  });
}

/** The clock is asked once for each, when it is called. */
const ASK_THE_CLOCK = {
  get: (kv) => kv.get(["k", 1]),
  getMany: (kv) =>
    kv.getMany([
      ["k", 1],
      ["k", 2],
    ]),
  set: (kv) => kv.set(["k", 1], 1),
  delete: (kv) => kv.delete(["k", 1]),
  commit: (kv) =>
    kv
      .atomic()
      .check({ key: ["k", 1], versionstamp: null })
      .set(["k", 1], 1)
      .commit(),
  "next of a list": (kv) => kv.list({ prefix: ["k"] }).next(),
};

for (const [name, run] of Object.entries(ASK_THE_CLOCK)) {
  test(`${name} looks up Date.now when it is called, once`, async (t) => {
    const kv = await filled(t);
    const now = t.mock.method(Date, "now", () => 1);
    const promise = run(kv);
    assert.equal(now.mock.callCount(), 1);
    await promise;
    assert.equal(now.mock.callCount(), 1);
    t.mock.restoreAll();
  });
}

test("with the option now, Date.now is not looked at", async (t) => {
  let asked = 0;
  const kv = new Kv(":memory:", { now: () => ++asked });
  t.after(() => kv.close());
  const now = t.mock.method(Date, "now");
  for (const run of Object.values(ASK_THE_CLOCK)) {
    const before = asked;
    await run(kv);
    assert.equal(asked, before + 1);
  }
  assert.equal(now.mock.callCount(), 0);
  t.mock.restoreAll();
});
