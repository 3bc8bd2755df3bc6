"use strict";

// The order of things in one handle: operations are asked for without waiting for one another, and
// each answers as if those before it, and only those, had been done.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const fc = require("fast-check");
const { Kv } = require("../../index.js");
const { Duel } = require("../support/duel.js");
const { operations } = require("../support/operations.js");
const { holds, rounds } = require("../support/seed.js");
const { collect, onEachStore, temporaryFolder } = require("../support/stores.js");

const SEQUENCES = 10_000;
/** A new store is made after so many sequences; meanwhile one is emptied, which is faster. */
const SEQUENCES_PER_STORE = 100;

const { set, commit, get, getMany, list, advance, sweep } = operations;

const sequence = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: set },
    { weight: 4, arbitrary: commit },
    { weight: 4, arbitrary: get },
    { weight: 2, arbitrary: getMany },
    { weight: 4, arbitrary: list },
    { weight: 1, arbitrary: advance },
    { weight: 1, arbitrary: sweep },
    { weight: 1, arbitrary: fc.constant({ type: "settle" }) },
  ),
  { minLength: 2, maxLength: 12 },
);

onEachStore((open, kind) => {
  test(`${SEQUENCES} random sequences answer as if done one by one`, async (t) => {
    const folder = temporaryFolder(t);
    const clock = { ms: 1_000_000 };
    let count = 0;
    let kv;

    /** An empty store, and every so often one whose file is not open, or not there, yet. */
    async function emptyStore() {
      if (count++ % SEQUENCES_PER_STORE === 0) {
        await kv?.[Symbol.asyncDispose]();
        const path = kind === "in memory" ? ":memory:" : `${folder}/${count}.db`;
        kv = new Kv(path, { now: () => clock.ms });
      } else {
        await Promise.all(
          (await collect(kv.list({ prefix: [] }))).map(({ key }) => kv.delete(key)),
        );
        await kv.sweepExpired();
      }
      return kv;
    }

    t.after(() => kv[Symbol.asyncDispose]());
    const property = fc.asyncProperty(sequence, async (steps) => {
      const duel = new Duel(await emptyStore(), clock);
      for (const step of steps) {
        if (step.type === "settle") await duel.settle();
        else duel.start(step);
      }
      await duel.settle();
    });
    await holds(t, property, SEQUENCES);
  });

  test("reads see the writes called before them and not those called after", async (t) => {
    const kv = await open(t);
    const answers = [];
    for (let i = 0; i < 200; i++) {
      kv.set(["k"], i);
      kv.set(["other", i], i);
      answers.push(
        Promise.all([
          kv.get(["k"]).then(({ value }) => value),
          kv.getMany([["k"], ["absent"]]).then(([{ value }]) => value),
          collect(kv.list({ start: ["k"], end: ["l"] })).then(([{ value }]) => value),
          collect(kv.list({ prefix: ["other"] }, { reverse: true, limit: 1 })).then(
            ([{ value }]) => value,
          ),
        ]),
      );
    }
    (await Promise.all(answers)).forEach((seen, i) => assert.deepEqual(seen, [i, i, i, i]));
  });

  // A long run of reads leaves the JS thread for another, where it could come after the write.
  test("a read in a long run of reads does not see a write called after it", async (t) => {
    const kv = await open(t, { durability: "normal" });
    await kv.set(["k"], -1);
    for (let i = 0; i < rounds(20_000); i++) {
      const before = kv.get(["k"]);
      const listed = kv.list({ prefix: [] }).next();
      const write = kv.set(["k"], i);
      assert.equal((await before).value, i - 1, "get");
      assert.equal((await listed).value.value, i - 1, "list");
      await write;
    }
  });

  test("writes apply in the order of their calls, whatever their size", async (t) => {
    const kv = await open(t);
    const writes = [];
    for (let i = 0; i < 100; i++)
      writes.push(kv.set(["k"], "x".repeat(i % 2 === 0 ? 60_000 : 1) + i));
    const stamps = (await Promise.all(writes)).map(({ versionstamp }) => versionstamp);
    assert.deepEqual(stamps, stamps.toSorted());
    assert.equal((await kv.get(["k"])).versionstamp, stamps.at(-1));
  });

  test("of commits in one tick that check the same thing the first one wins", async (t) => {
    const kv = await open(t);
    const take = (holder) =>
      kv
        .atomic()
        .check({ key: ["lock"], versionstamp: null })
        .set(["lock"], holder)
        .commit();
    const results = await Promise.all(Array.from({ length: 50 }, (_, i) => take(i)));
    assert.deepEqual(
      results.map(({ ok }) => ok),
      results.map((_, i) => i === 0),
    );
    assert.equal((await kv.get(["lock"])).value, 0);
  });

  test("a read behind a commit that fails sees what was before it", async (t) => {
    const kv = await open(t);
    await kv.set(["k"], "text");
    const failing = kv.atomic().set(["new"], 1).set(["k"], "late").sum(["k"], 1n).commit();
    const reads = [kv.get(["k"]), kv.get(["new"])];
    await assert.rejects(failing, { code: "TYPE_MISMATCH" });
    const [k, absent] = await Promise.all(reads);
    assert.equal(k.value, "text");
    assert.equal(absent.versionstamp, null);
  });
});
