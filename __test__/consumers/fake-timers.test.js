"use strict";

/**
 * A test suite as users write it: Date.now, setTimeout and setInterval are faked, time moves only
 * when told, and between two ticks there is nothing but microtasks. What passes on a synchronous
 * fake passes on `new Kv()` unchanged, so `new Kv()` may need no macrotask for anything.
 */
const assert = require("node:assert/strict");
const { afterEach, beforeEach, describe, it, mock } = require("node:test");
const { Kv } = require("../../index.js");
const { FakeDenoKv } = require("../support/fake-kv.js");

/** Turns of the microtask queue that one operation of a store may take to settle. */
const TURNS_OF_AN_OPERATION = 16;
/** Enough for one round of a poller, which is some dozens of operations in a row. */
const TURNS_OF_A_ROUND = 100 * TURNS_OF_AN_OPERATION;
const START = Date.UTC(2030, 0, 1);

/** Lets promises go on, and nothing else: no timer, no I/O, no tick of the process. */
async function microtasks(turns) {
  for (let turn = 0; turn < turns; turn++) await null;
}

/** Moves the faked time in steps, as a poller sees it. */
async function pass(ms, stepMs = 50) {
  for (let passed = 0; passed < ms; passed += stepMs) {
    mock.timers.tick(stepMs);
    await microtasks(TURNS_OF_A_ROUND);
  }
}

/** @returns {Promise<number>} microtask turns until the promise was settled */
async function turnsOf(promise) {
  let settled = false;
  const watched = promise.finally(() => {
    settled = true;
  });
  let turns = 0;
  while (!settled && turns <= TURNS_OF_AN_OPERATION) {
    await null;
    turns += 1;
  }
  assert.ok(settled, `not settled after ${TURNS_OF_AN_OPERATION} turns of the microtask queue`);
  await watched;
  return turns;
}

/** Replaces everything that schedules a macrotask; the list returned names what was called. */
function trapMacrotasks() {
  const called = [];
  const traps = [
    [globalThis, "setTimeout"],
    [globalThis, "setInterval"],
    [globalThis, "setImmediate"],
    [globalThis, "queueMicrotask"],
    [process, "nextTick"],
    [MessagePort.prototype, "postMessage"],
  ];
  for (const [owner, name] of traps) mock.method(owner, name, () => called.push(name));
  return called;
}

for (const [name, create] of [
  ["the in-memory fake", () => new FakeDenoKv()],
  ["new Kv()", () => new Kv()],
]) {
  describe(`faked timers on ${name}`, () => {
    let kv;
    let consumers;

    beforeEach(async () => {
      consumers ??= {
        ...(await import("../../examples/consumers/leases.mjs")),
        ...(await import("../../examples/consumers/alarms.mjs")),
        ...(await import("../../examples/consumers/queue.mjs")),
        ...(await import("../../examples/consumers/cron.mjs")),
      };
      mock.timers.enable({ apis: ["Date", "setTimeout", "setInterval"], now: START });
      kv = create();
    });

    afterEach(() => {
      kv.close();
      mock.timers.reset();
      mock.restoreAll();
    });

    const elapsed = () => Date.now() - START;

    it("a poller on an interval delivers, retries and buries messages on time", async () => {
      const queue = consumers.createQueue({ kv, maxAttempts: 3 });
      const seen = [];
      setInterval(async () => {
        for (const message of await queue.poll({ limit: 10 })) {
          seen.push([elapsed(), message.payload, message.attempt]);
          if (message.payload === "bad") await queue.nack(message, "bad");
          else await queue.ack(message);
        }
      }, 100);

      await queue.enqueue("good");
      await queue.enqueue("bad");
      await queue.enqueue("late", { delayMs: 1_250 });
      await pass(4_000);

      seen.sort(([a, x], [b, y]) => a - b || x.localeCompare(y));
      assert.deepEqual(seen, [
        [100, "bad", 1],
        [100, "good", 1],
        [1_100, "bad", 2],
        [1_300, "late", 1],
        [3_100, "bad", 3],
      ]);
      assert.deepEqual(
        (await queue.deadLetters()).map(({ payload }) => payload),
        ["bad"],
      );
    });

    it("a message of a poller that never answers is delivered to the next one", async () => {
      const queue = consumers.createQueue({ kv, visibilityMs: 1_000 });
      await queue.enqueue("x");
      const answers = [];
      const poller = async (answer) => {
        const [message] = await queue.poll();
        if (message !== undefined)
          answers.push([elapsed(), message.attempt, await answer(message)]);
      };
      const silent = setInterval(poller, 100, async () => "no answer");
      await pass(500);
      clearInterval(silent);
      setInterval(poller, 100, async (message) => (await queue.ack(message)).outcome);
      await pass(5_000);
      assert.deepEqual(answers, [
        [100, 1, "no answer"],
        [1_100, 2, "done"],
      ]);
    });

    it("alarms fire on the first tick at which they are due", async () => {
      const alarms = consumers.createAlarms({ kv });
      const fired = [];
      setInterval(async () => {
        for (const { id } of await alarms.claimDue()) fired.push([elapsed(), id]);
      }, 50);

      await alarms.set("a", START + 220);
      await alarms.set("b", START + 150);
      await alarms.set("c", START + 90);
      await alarms.set("c", START + 1_000);
      await pass(2_000);
      assert.deepEqual(fired, [
        [150, "b"],
        [250, "a"],
        [1_000, "c"],
      ]);
    });

    it("of three hosts on intervals one wins each cron tick", async () => {
      const won = [];
      for (const host of ["h1", "h2", "h3"]) {
        const cron = consumers.createCron({ kv, host });
        setInterval(async () => {
          const ticks = await cron.claimDue("c", { everyMs: 250, since: START });
          won.push(...ticks.map(({ at }) => at - START));
        }, 100);
      }
      await pass(1_000);
      assert.deepEqual(won, [250, 500, 750, 1_000]);
    });

    it("contention for a lease times out when the faked time has passed", async () => {
      const leases = consumers.createLeases({ kv, attempts: 5, waitMs: 100 });
      await leases.acquire("a", "ann", 10_000);
      let timeout;
      leases.acquire("a", "bob", 10_000).then((result) => {
        timeout = { ...result, after: elapsed() };
      });
      await microtasks(TURNS_OF_A_ROUND);
      await pass(350);
      assert.equal(timeout, undefined);
      await pass(50);
      const { reason, holder, after } = timeout;
      assert.deepEqual({ reason, holder, after }, { reason: "timeout", holder: "ann", after: 400 });
    });

    it("rows expire by the faked Date.now, to the millisecond, before any sweep", async () => {
      await kv.set(["a"], "x", { expireIn: 50 });
      mock.timers.tick(49);
      assert.equal((await kv.get(["a"])).value, "x");
      mock.timers.tick(1);
      assert.equal((await kv.get(["a"])).value, null);
      for await (const { key } of kv.list({ prefix: [] })) assert.fail(`listed ${key}`);
      const absent = { key: ["a"], versionstamp: null };
      assert.equal((await kv.atomic().check(absent).set(["a"], "y").commit()).ok, true);
    });

    it("every operation settles in few microtasks and schedules no macrotask", async () => {
      const scheduled = trapMacrotasks();
      const operations = {
        set: () => kv.set(["a", 1], { n: 1 }),
        get: () => kv.get(["a", 1]),
        commit: () => kv.atomic().set(["a", 2], "x").delete(["a", 3]).commit(),
        "refused commit": () =>
          kv
            .atomic()
            .check({ key: ["a", 1], versionstamp: null })
            .set(["a", 1], 0)
            .commit(),
        "first of a list": () => kv.list({ prefix: ["a"] }).next(),
        "end of a list": () => kv.list({ prefix: ["b"] }).next(),
        delete: () => kv.delete(["a", 1]),
        "200 sets at once": () =>
          Promise.all(Array.from({ length: 200 }, (_, i) => kv.set([i], i))),
      };
      const slow = [];
      for (const [operation, run] of Object.entries(operations)) {
        await turnsOf(run()).catch((error) => slow.push(`${operation}: ${error.message}`));
      }
      mock.restoreAll();
      assert.deepEqual(slow, []);
      assert.deepEqual(scheduled, []);
    });
  });
}
