"use strict";

// A commit that fails leaves nothing, wherever in it the failure stands, and harms no neighbour.

const assert = require("node:assert/strict");
const { describe, test } = require("node:test");
const { KvU64 } = require("../../index.js");
const { contents, onEachStore } = require("../support/stores.js");

const TOO_LARGE = new Uint8Array(65_537);

/** Each adds a mutation to an operation that makes the whole of it fail. */
const FAILURES = {
  "sum of text": { code: "TYPE_MISMATCH", add: (op) => op.sum(["text"], 1n) },
  "min of text": { code: "TYPE_MISMATCH", add: (op) => op.min(["text"], 1n) },
  "max of bytes": { code: "TYPE_MISMATCH", add: (op) => op.max(["bytes"], 1n) },
  "sum of a value set before it": {
    code: "TYPE_MISMATCH",
    add: (op) => op.set(["counter"], 5).sum(["counter"], 1n),
  },
  "a value too large": { code: "LIMIT_EXCEEDED", add: (op) => op.set(["x"], TOO_LARGE) },
  "a key too large": { code: "LIMIT_EXCEEDED", add: (op) => op.set(["k".repeat(2048)], 1) },
  "an empty key": { code: "INVALID_KEY", add: (op) => op.set([], 1) },
  "expiry too far": {
    code: "INVALID_EXPIRY",
    add: (op) => op.set(["x"], 1, { expireIn: Number.MAX_SAFE_INTEGER }),
  },
};

/** Four mutations, of which each would show in the store. */
const GOOD = [
  (op) => op.set(["new"], "new"),
  (op) => op.delete(["gone"]),
  (op) => op.sum(["counter"], 7n),
  (op) => op.set(["text"], "overwritten", { expireIn: 60_000 }),
];

const PLACES = { first: 0, "in the middle": 2, last: GOOD.length };

async function fill(kv) {
  await kv
    .atomic()
    .set(["text"], "text")
    .set(["bytes"], new Uint8Array(8))
    .set(["gone"], "still here")
    .set(["counter"], new KvU64(40n))
    .commit();
}

/** Commits with a failure at `place` among the good mutations. */
function commitWith(kv, failure, place) {
  const steps = GOOD.toSpliced(place, 0, failure.add);
  return steps.reduce((op, step) => step(op), kv.atomic()).commit();
}

onEachStore((open) => {
  for (const [name, failure] of Object.entries(FAILURES)) {
    for (const [where, place] of Object.entries(PLACES)) {
      test(`${name}, ${where} in a commit, undoes all of it`, async (t) => {
        const kv = await open(t);
        await fill(kv);
        const before = await contents(kv);
        await assert.rejects(commitWith(kv, failure, place), { code: failure.code });
        assert.deepEqual(await contents(kv), before);
      });
    }
  }

  test("the error of a mismatch is a TypeError that names the key", async (t) => {
    const kv = await open(t);
    await kv.set(["text", 1n], "text");
    const commit = kv.atomic().set(["new"], 1).sum(["text", 1n], 1n).commit();
    await assert.rejects(commit, (error) => {
      assert.ok(error instanceof TypeError);
      assert.equal(error.code, "TYPE_MISMATCH");
      assert.deepEqual(error.key, ["text", 1n]);
      return true;
    });
    assert.equal((await kv.get(["new"])).versionstamp, null);
  });

  test("the error of a limit names limit, size and key", async (t) => {
    const kv = await open(t);
    await assert.rejects(kv.atomic().set(["a"], 1).set(["b"], TOO_LARGE).commit(), {
      name: "TypeError",
      code: "LIMIT_EXCEEDED",
      limit: "valueBytes",
      max: 65_536,
      actual: 65_537,
      key: ["b"],
    });
    assert.deepEqual(await contents(kv), []);
  });

  test("more than 1000 mutations, or 100 checks, are refused whole", async (t) => {
    const kv = await open(t);
    const many = kv.atomic();
    for (let i = 0; i < 1001; i++) many.set([i], i);
    await assert.rejects(many.commit(), { code: "LIMIT_EXCEEDED", limit: "mutations" });
    const checked = kv.atomic().set(["a"], 1);
    for (let i = 0; i < 101; i++) checked.check({ key: [i], versionstamp: null });
    await assert.rejects(checked.commit(), { code: "LIMIT_EXCEEDED", limit: "checks" });
    assert.deepEqual(await contents(kv), []);
  });

  test("a check that does not hold refuses the commit, and says which", async (t) => {
    const kv = await open(t);
    await fill(kv);
    const before = await contents(kv);
    const result = await kv
      .atomic()
      .check({ key: ["new"], versionstamp: null })
      .check({ key: ["text"], versionstamp: null }, { key: ["gone"], versionstamp: "f".repeat(20) })
      .set(["new"], 1)
      .delete(["gone"])
      .commit();
    assert.deepEqual(result, { ok: false, failedChecks: [1, 2] });
    assert.deepEqual(await contents(kv), before);
  });

  test("checks see the state before the mutations of their own commit", async (t) => {
    const kv = await open(t);
    const absent = { key: ["a"], versionstamp: null };
    assert.equal((await kv.atomic().set(["a"], 1).check(absent).commit()).ok, true);
    assert.equal((await kv.atomic().delete(["a"]).check(absent).commit()).ok, false);
  });

  test("a commit whose check and sum both fail is refused by its check", async (t) => {
    const kv = await open(t);
    await fill(kv);
    const op = kv
      .atomic()
      .sum(["text"], 1n)
      .check({ key: ["text"], versionstamp: null });
    assert.equal((await op.commit()).ok, false);
  });

  test("mutations apply in order", async (t) => {
    const kv = await open(t);
    await kv
      .atomic()
      .set(["a"], new KvU64(1n))
      .sum(["a"], 2n)
      .delete(["b"])
      .set(["b"], 1)
      .set(["c"], 1)
      .delete(["c"])
      .max(["a"], 10n)
      .min(["a"], 9n)
      .commit();
    const [a, b, c] = await kv.getMany([["a"], ["b"], ["c"]]);
    assert.deepEqual(a.value, new KvU64(9n));
    assert.equal(b.value, 1);
    assert.equal(c.versionstamp, null);
  });

  describe("200 commits at once, of which half fail", () => {
    for (const [name, { add, code }] of Object.entries(FAILURES)) {
      test(`${name}: the good ones land, the bad leave nothing`, async (t) => {
        const kv = await open(t);
        await kv.atomic().set(["text"], "text").set(["bytes"], new Uint8Array(8)).commit();
        const outcomes = await Promise.allSettled(
          Array.from({ length: 200 }, (_, i) => {
            const op = kv.atomic().set(["mine", i], i).sum(["total"], 1n).delete(["gone", i]);
            return (i % 2 === 0 ? op : add(op).set(["late", i], i)).commit();
          }),
        );
        outcomes.forEach(({ status, value, reason }, i) => {
          assert.equal(i % 2 === 0 ? value?.ok : reason?.code, i % 2 === 0 ? true : code, status);
        });
        const mine = (await contents(kv)).filter(({ key }) => key.length === 2);
        assert.deepEqual(
          mine.map(({ key }) => key),
          Array.from({ length: 100 }, (_, i) => ["mine", 2 * i]),
        );
        const stamps = outcomes
          .filter((_, i) => i % 2 === 0)
          .map(({ value }) => value.versionstamp);
        assert.deepEqual(
          mine.map(({ versionstamp }) => versionstamp),
          stamps,
        );
        assert.deepEqual((await kv.get(["total"])).value, new KvU64(100n));
        assert.equal((await kv.get(["counter"])).versionstamp, null);
      });
    }
  });
});
