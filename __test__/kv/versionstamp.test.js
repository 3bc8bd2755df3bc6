"use strict";

// Versionstamps: one a commit, each greater than all before it in the store, none ever seen twice.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { Kv, KvU64 } = require("../../index.js");
const { contents, onEachStore, openFile, temporaryFile } = require("../support/stores.js");

const SHAPE = /^[0-9a-f]{16}0000$/;

/** Asserts that each is greater than the one before, as text. */
function assertRising(stamps) {
  stamps.forEach((stamp, i) => {
    assert.match(stamp, SHAPE);
    assert.ok(i === 0 || stamp > stamps[i - 1], `${stamp} after ${stamps[i - 1]}`);
  });
}

/** Deletes, lets expire, sweeps and creates the same keys anew; gives the stamps of all commits. */
async function churn(kv, clock) {
  const stamps = [];
  const commit = async (op) => stamps.push((await op.commit()).versionstamp);
  for (let i = 0; i < 3; i++) {
    await commit(kv.atomic().set(["a"], i).set(["b"], i, { expireIn: 50 }));
    await commit(kv.atomic().sum(["n"], 1n));
    await commit(kv.atomic().delete(["a"]).delete(["n"]));
    clock.ms += 50;
    await kv.sweepExpired();
    assert.deepEqual(await contents(kv), []);
  }
  return stamps;
}

onEachStore((open) => {
  test("they rise across delete, expiry, sweep and re-creation", async (t) => {
    const clock = { ms: 0 };
    assertRising(await churn(await open(t, { now: () => clock.ms }), clock));
  });

  test("commits asked for in one tick rise in the order of their calls", async (t) => {
    const kv = await open(t);
    const results = await Promise.all(
      Array.from({ length: 300 }, (_, i) => kv.set(["k", i % 7], i)),
    );
    assertRising(results.map(({ versionstamp }) => versionstamp));
  });

  test("every entry bears that of the commit which wrote it last", async (t) => {
    const kv = await open(t);
    const first = await kv.atomic().set(["a"], 1).set(["b"], 1).sum(["c"], 1n).commit();
    const second = await kv.atomic().set(["b"], 2).max(["c"], 9n).commit();
    const [a, b, c] = await contents(kv);
    assert.equal(a.versionstamp, first.versionstamp);
    assert.equal(b.versionstamp, second.versionstamp);
    assert.deepEqual(c.value, new KvU64(9n));
    assert.equal(c.versionstamp, second.versionstamp);
  });

  test("a commit without mutations, or without anything, has one too", async (t) => {
    const kv = await open(t);
    const { versionstamp } = await kv.set(["a"], 1);
    const checked = await kv
      .atomic()
      .check({ key: ["a"], versionstamp })
      .commit();
    const empty = await kv.atomic().commit();
    const last = await kv.set(["b"], 1);
    assertRising([versionstamp, checked.versionstamp, empty.versionstamp, last.versionstamp]);
    assert.equal((await kv.get(["a"])).versionstamp, versionstamp);
  });

  test("a refused and a failed commit change no entry's", async (t) => {
    const kv = await open(t);
    const { versionstamp } = await kv.set(["a"], "text");
    await kv
      .atomic()
      .check({ key: ["a"], versionstamp: null })
      .set(["a"], 1)
      .commit();
    await assert.rejects(kv.atomic().set(["a"], 1).sum(["a"], 1n).set(["a"], 2).commit(), {
      code: "TYPE_MISMATCH",
    });
    assert.equal((await kv.get(["a"])).versionstamp, versionstamp);
  });

  test("the stamp of an entry that was deleted does not fit the one set after it", async (t) => {
    const kv = await open(t);
    const { versionstamp } = await kv.set(["a"], 1);
    await kv.delete(["a"]);
    await kv.set(["a"], 1);
    assert.equal(
      (
        await kv
          .atomic()
          .check({ key: ["a"], versionstamp })
          .commit()
      ).ok,
      false,
    );
  });

  test("an operation committed twice gets two", async (t) => {
    const kv = await open(t);
    const op = kv.atomic().sum(["n"], 1n);
    assertRising([(await op.commit()).versionstamp, (await op.commit()).versionstamp]);
    assert.deepEqual((await kv.get(["n"])).value, new KvU64(2n));
  });

  test("a key may end in that of its commit", async (t) => {
    const kv = await open(t);
    const stamps = [];
    for (let i = 0; i < 20; i++) {
      const { versionstamp } = await kv
        .atomic()
        .set(["log", kv.commitVersionstamp()], i)
        .set(["other", kv.commitVersionstamp()], i)
        .commit();
      stamps.push(versionstamp);
    }
    const log = [];
    for await (const entry of kv.list({ prefix: ["log"] })) log.push(entry);
    assert.deepEqual(
      log,
      stamps.map((versionstamp, i) => ({ key: ["log", versionstamp], value: i, versionstamp })),
    );
    assert.equal((await kv.get(["other", stamps[3]])).value, 3);
    await kv.delete(["log", stamps[3]]);
    assert.equal((await kv.get(["log", stamps[3]])).versionstamp, null);
  });

  test("only set takes such a key, only as the last of several parts", async (t) => {
    const kv = await open(t);
    const { versionstamp } = await kv.set(["log", kv.commitVersionstamp()], 1);
    assert.equal((await kv.get(["log", versionstamp])).value, 1);
    const misuse = [
      () => kv.set([kv.commitVersionstamp()], 1),
      () => kv.set([kv.commitVersionstamp(), 1], 1),
      () => kv.get(["log", kv.commitVersionstamp()]),
      () => kv.delete(["log", kv.commitVersionstamp()]),
      () => kv.atomic().sum(["log", kv.commitVersionstamp()], 1n).commit(),
      () => kv.set(["log", Symbol("another")], 1),
    ];
    for (const call of misuse) {
      await assert.rejects(async () => call(), { name: "TypeError", code: "INVALID_KEY" });
    }
  });
});

test("they rise across closing and opening again, also when nothing is left", async (t) => {
  const file = temporaryFile(t);
  const clock = { ms: 0 };
  const stamps = [];
  for (let i = 0; i < 3; i++) {
    const kv = await openFile(t, file, { now: () => clock.ms });
    stamps.push(...(await churn(kv, clock)));
    await kv[Symbol.asyncDispose]();
  }
  assertRising(stamps);
});

test("they rise across two handles that write in turn", async (t) => {
  const file = temporaryFile(t);
  const handles = [await openFile(t, file), await openFile(t, file)];
  const stamps = [];
  for (let i = 0; i < 20; i++) stamps.push((await handles[i % 2].set(["k"], i)).versionstamp);
  assertRising(stamps);
  assert.equal((await handles[0].get(["k"])).versionstamp, stamps.at(-1));
});

test("the symbol is the same for every handle", () => {
  const [a, b] = [new Kv(), new Kv()];
  assert.equal(a.commitVersionstamp(), b.commitVersionstamp());
  a.close();
  b.close();
});
