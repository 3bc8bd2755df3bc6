"use strict";

// Of those who race for one thing exactly one gets it, wherever they run.

const assert = require("node:assert/strict");
const path = require("node:path");
const { describe, test } = require("node:test");
const { startNode, startWorker } = require("../support/programs.js");
const { rounds } = require("../support/seed.js");
const { contents, onEachStore, openFile, temporaryFile } = require("../support/stores.js");

const CONTENDER = path.join(__dirname, "programs/contender.js");
const CONTENDERS = 4;
const RACES = 500;
const KEYS_PER_RACE = 20;

/** Runs `races` races and asserts that each key has one taker, whom the store names. */
async function judge(kv, races, contenders) {
  for (let race = 0; race < races; race++) {
    const keys = Array.from({ length: KEYS_PER_RACE }, (_, i) => ["race", race, i]);
    const taken = await Promise.all(
      // From both ends, so that each contender is ahead somewhere.
      contenders.map((contend, i) => contend(i % 2 === 0 ? keys : keys.toReversed())),
    );
    const takers = taken.flatMap((ofOne, i) => ofOne.map(([, , key]) => [key, `holder ${i}`]));
    takers.sort(([a], [b]) => a - b);
    assert.deepEqual(
      takers.map(([key]) => key),
      keys.map((_, i) => i),
      `race ${race}`,
    );
    const held = await kv.getMany(keys.slice(0, 10));
    assert.deepEqual(
      held.map(({ value }) => value),
      takers.slice(0, 10).map(([, holder]) => holder),
    );
  }
}

/** A contender that runs as a program of its own. */
async function contender(program) {
  await program.line();
  return (keys) => {
    program.tell(keys);
    return program.line();
  };
}

describe("for an absent key one of several wins", () => {
  test("handles in one thread", async (t) => {
    const file = temporaryFile(t);
    const handles = [];
    for (let i = 0; i < CONTENDERS; i++) handles.push(await openFile(t, file));
    const contenders = handles.map((kv, i) => async (keys) => {
      const take = (key) =>
        kv.atomic().check({ key, versionstamp: null }).set(key, `holder ${i}`).commit();
      const results = await Promise.all(keys.map(take));
      return keys.filter((_, at) => results[at].ok);
    });
    await judge(handles[0], rounds(RACES), contenders);
  });

  for (const [name, start] of [
    ["worker threads", startWorker],
    ["processes", startNode],
  ]) {
    test(name, async (t) => {
      const file = temporaryFile(t);
      const kv = await openFile(t, file);
      const programs = Array.from({ length: CONTENDERS }, (_, i) =>
        start(t, CONTENDER, [file, `holder ${i}`]),
      );
      await judge(kv, rounds(RACES), await Promise.all(programs.map(contender)));
      for (const program of programs) assert.equal((await program.end()).code, 0);
    });
  }
});

onEachStore((open) => {
  /** A lease of 50 ms on a store whose clock the test moves. */
  async function leaseOf(t) {
    const clock = { ms: 1_000_000 };
    const kv = await open(t, { now: () => clock.ms });
    const key = ["lease"];
    return {
      kv,
      clock,
      acquire: (holder) =>
        kv.atomic().check({ key, versionstamp: null }).set(key, holder, { expireIn: 50 }).commit(),
      release: ({ versionstamp }) => kv.atomic().check({ key, versionstamp }).delete(key).commit(),
    };
  }

  test("a stale holder's release does nothing after its lease was taken over", async (t) => {
    const { kv, clock, acquire, release } = await leaseOf(t);
    const first = await acquire("ann");
    assert.equal((await acquire("bob")).ok, false);
    clock.ms += 50;
    const second = await acquire("bob");
    assert.equal(second.ok, true);
    assert.equal((await release(first)).ok, false);
    assert.equal((await kv.get(["lease"])).value, "bob");
    assert.equal((await release(second)).ok, true);
    assert.deepEqual(await contents(kv), []);
  });

  test("nor when the same holder took it again, nor after a sweep", async (t) => {
    const { kv, clock, acquire, release } = await leaseOf(t);
    const first = await acquire("ann");
    clock.ms += 50;
    assert.equal(await kv.sweepExpired(), 1);
    const second = await acquire("ann");
    assert.equal((await release(first)).ok, false);
    assert.equal((await kv.get(["lease"])).versionstamp, second.versionstamp);
  });

  test("a release of a lease that has expired is refused", async (t) => {
    const { clock, acquire, release } = await leaseOf(t);
    const first = await acquire("ann");
    clock.ms += 50;
    assert.deepEqual(await release(first), { ok: false, failedChecks: [0] });
  });

  test("release and takeover in one tick: the one called first wins", async (t) => {
    const { kv, clock, acquire, release } = await leaseOf(t);
    const first = await acquire("ann");
    clock.ms += 49;
    const [released, taken] = await Promise.all([release(first), acquire("bob")]);
    assert.deepEqual([released.ok, taken.ok], [true, true]);
    assert.equal((await kv.get(["lease"])).value, "bob");
  });
});
