"use strict";

// An entry whose time has come is absent at that millisecond, for every operation, swept or not.

const assert = require("node:assert/strict");
const { describe, test } = require("node:test");
const { Kv, KvU64 } = require("../../index.js");
const { collect, contents, onEachStore, openFile, temporaryFile } = require("../support/stores.js");
const { onFile, sqliteIsMissing } = require("../support/sqlite.js");

const START = 1_000_000;

/** A store whose clock stands still until the test moves it. */
async function openAt(open, t, ms = START) {
  const clock = { ms };
  const kv = await open(t, { now: () => clock.ms });
  return { kv, clock };
}

/** What each way of reading says about an entry whose value is a KvU64; all must agree. */
async function sightings(kv, key) {
  const absent = await kv.atomic().check({ key, versionstamp: null }).commit();
  const single = await kv.get(key);
  const [, many] = await kv.getMany([["other"], key]);
  const keys = (await contents(kv)).map((entry) => entry.key);
  const reverse = (await collect(kv.list({ prefix: [] }, { reverse: true }))).map((it) => it.key);
  const seesKey = (list) => list.some((it) => JSON.stringify(it) === JSON.stringify(key));
  return {
    check: !absent.ok,
    get: single.versionstamp !== null && single.value !== null,
    getMany: many.versionstamp !== null && many.value !== null,
    list: seesKey(keys),
    reverse: seesKey(reverse),
  };
}

const everywhere = (seen) => ({ check: seen, get: seen, getMany: seen, list: seen, reverse: seen });

onEachStore((open) => {
  test("with expireIn 50 an entry is there at 49 ms and absent at 50, before any sweep", async (t) => {
    const { kv, clock } = await openAt(open, t);
    await kv.set(["k"], new KvU64(1n), { expireIn: 50 });
    clock.ms = START + 49;
    assert.deepEqual(await sightings(kv, ["k"]), everywhere(true));
    clock.ms = START + 50;
    assert.deepEqual(await sightings(kv, ["k"]), everywhere(false));
    assert.equal(await kv.sweepExpired(), 1, "it was not swept yet");
    assert.deepEqual(await sightings(kv, ["k"]), everywhere(false));
  });

  for (const type of ["sum", "min", "max"]) {
    test(`${type} at 49 ms sees the value, at 50 it sees none, and starts without expiry`, async (t) => {
      const { kv, clock } = await openAt(open, t);
      await kv.set(["seen"], new KvU64(10n), { expireIn: 50 });
      await kv.set(["unseen"], new KvU64(10n), { expireIn: 50 });
      clock.ms = START + 49;
      await kv.atomic()[type](["seen"], 3n).commit();
      const expected = { sum: 13n, min: 3n, max: 10n }[type];
      assert.deepEqual((await kv.get(["seen"])).value, new KvU64(expected));
      clock.ms = START + 50;
      await kv.atomic()[type](["unseen"], 3n).commit();
      assert.deepEqual((await kv.get(["unseen"])).value, new KvU64(3n));
      clock.ms = START + 1_000_000;
      assert.deepEqual((await kv.get(["unseen"])).value, new KvU64(3n));
    });

    test(`${type} on a live entry keeps the time at which it expires`, async (t) => {
      const { kv, clock } = await openAt(open, t);
      await kv.set(["k"], new KvU64(10n), { expireIn: 50 });
      clock.ms = START + 30;
      await kv.atomic()[type](["k"], 3n).commit();
      clock.ms = START + 49;
      assert.notEqual((await kv.get(["k"])).versionstamp, null);
      clock.ms = START + 50;
      assert.equal((await kv.get(["k"])).versionstamp, null);
    });

    test(`${type} on an expired entry of another type does not fail`, async (t) => {
      const { kv, clock } = await openAt(open, t);
      await kv.set(["k"], "text", { expireIn: 50 });
      clock.ms = START + 50;
      assert.equal((await kv.atomic()[type](["k"], 3n).commit()).ok, true);
      assert.deepEqual((await kv.get(["k"])).value, new KvU64(3n));
    });
  }

  test("a check for an expired entry's versionstamp does not hold", async (t) => {
    const { kv, clock } = await openAt(open, t);
    const { versionstamp } = await kv.set(["k"], 1, { expireIn: 50 });
    clock.ms = START + 49;
    assert.equal(
      (
        await kv
          .atomic()
          .check({ key: ["k"], versionstamp })
          .commit()
      ).ok,
      true,
    );
    clock.ms = START + 50;
    assert.equal(
      (
        await kv
          .atomic()
          .check({ key: ["k"], versionstamp })
          .commit()
      ).ok,
      false,
    );
  });

  test("set replaces the time of an entry, and takes it away", async (t) => {
    const { kv, clock } = await openAt(open, t);
    await kv.set(["later"], 1, { expireIn: 50 });
    await kv.set(["later"], 2, { expireIn: 100 });
    await kv.set(["never"], 1, { expireIn: 50 });
    await kv.set(["never"], 2);
    clock.ms = START + 99;
    assert.equal((await kv.get(["later"])).value, 2);
    clock.ms = START + 100;
    assert.equal((await kv.get(["later"])).value, null);
    clock.ms = START + 1e12;
    assert.equal((await kv.get(["never"])).value, 2);
  });

  test("time counts from commit(), not from the set before it", async (t) => {
    const { kv, clock } = await openAt(open, t);
    const op = kv.atomic().set(["k"], 1, { expireIn: 50 });
    clock.ms = START + 40;
    await op.commit();
    clock.ms = START + 89;
    assert.equal((await kv.get(["k"])).value, 1);
    clock.ms = START + 90;
    assert.equal((await kv.get(["k"])).value, null);
  });

  test("an operation is judged by the time of its call, however long it waits", async (t) => {
    const { kv, clock } = await openAt(open, t);
    const set = kv.set(["k"], 1, { expireIn: 50 });
    clock.ms = START + 49;
    const seen = kv.get(["k"]);
    const checked = kv
      .atomic()
      .check({ key: ["k"], versionstamp: null })
      .commit();
    const listed = kv.list({ prefix: [] }).next();
    clock.ms = START + 50;
    const unseen = kv.get(["k"]);
    clock.ms = START;
    await set;
    assert.equal((await seen).value, 1);
    assert.equal((await checked).ok, false);
    assert.equal((await listed).done, false);
    assert.equal((await unseen).value, null);
  });

  test("expireIn 0 is absent at once", async (t) => {
    const { kv } = await openAt(open, t);
    await kv.set(["k"], new KvU64(1n), { expireIn: 0 });
    assert.deepEqual(await sightings(kv, ["k"]), everywhere(false));
  });

  test("a key that ends in the versionstamp expires as others do", async (t) => {
    const { kv, clock } = await openAt(open, t);
    await kv.set(["log", kv.commitVersionstamp()], 1, { expireIn: 50 });
    clock.ms = START + 49;
    assert.equal((await contents(kv)).length, 1);
    clock.ms = START + 50;
    assert.deepEqual(await contents(kv), []);
  });

  // The stored time is never below 0, since -1 stands for "never".
  for (const before of [-1, -50, -51, -52, -1_000_000]) {
    test(`a clock before 1970, at ${before} ms: nothing lives for ever`, async (t) => {
      const { kv, clock } = await openAt(open, t, before);
      await kv.set(["k"], 1, { expireIn: 50 });
      assert.equal((await kv.get(["k"])).value, 1);
      clock.ms = Math.max(before + 50, 0);
      assert.equal((await kv.get(["k"])).value, null);
      assert.equal(await kv.sweepExpired(), 1);
    });
  }

  test("expiry past 2^53 - 1 is a TypeError, up to it is not", async (t) => {
    const { kv, clock } = await openAt(open, t);
    const furthest = Number.MAX_SAFE_INTEGER - START;
    await kv.set(["k"], 1, { expireIn: furthest });
    for (const expireIn of [furthest + 1, Number.MAX_SAFE_INTEGER, Number.MAX_VALUE]) {
      await assert.rejects(async () => kv.set(["far"], 1, { expireIn }), {
        name: "TypeError",
        code: "INVALID_EXPIRY",
      });
    }
    clock.ms = Number.MAX_SAFE_INTEGER - 1;
    assert.equal((await kv.get(["k"])).value, 1);
    assert.equal((await kv.get(["far"])).value, null);
  });

  describe("sweepExpired", () => {
    test("counts what it removed, and removes nothing that lives", async (t) => {
      const { kv, clock } = await openAt(open, t);
      await kv.set(["a"], 1, { expireIn: 50 });
      await kv.set(["b"], 1, { expireIn: 51 });
      await kv.set(["c"], 1);
      assert.equal(await kv.sweepExpired(), 0);
      clock.ms = START + 50;
      assert.equal(await kv.sweepExpired(), 1);
      assert.equal(await kv.sweepExpired(), 0);
      assert.deepEqual(
        (await contents(kv)).map(({ key }) => key),
        [["b"], ["c"]],
      );
    });

    test("takes a time of the caller's", async (t) => {
      const { kv, clock } = await openAt(open, t);
      await kv.set(["a"], 1, { expireIn: 50 });
      clock.ms = START + 50;
      assert.equal(await kv.sweepExpired(START + 49), 0);
      assert.equal(await kv.sweepExpired(START + 50), 1);
    });

    for (const count of [999, 1000, 1001, 2500]) {
      test(`of ${count} entries`, async (t) => {
        const { kv, clock } = await openAt(open, t);
        for (let first = 0; first < count; first += 500) {
          const op = kv.atomic();
          for (let i = first; i < Math.min(first + 500, count); i++) {
            op.set([i], i, { expireIn: 50 });
          }
          await op.commit();
        }
        await kv.set(["stays"], 1);
        clock.ms = START + 50;
        assert.equal(await kv.sweepExpired(), count);
        assert.equal(await kv.sweepExpired(), 0);
        assert.equal((await contents(kv)).length, 1);
      });
    }

    test("beside commits that renew what it would take, takes none of them", async (t) => {
      const { kv, clock } = await openAt(open, t);
      const keys = Array.from({ length: 300 }, (_, i) => ["lease", i]);
      await Promise.all(keys.map((key) => kv.set(key, 0, { expireIn: 50 })));
      clock.ms = START + 50;
      const renewals = keys.slice(0, 150).map((key) => kv.set(key, 1, { expireIn: 50 }));
      const swept = kv.sweepExpired();
      renewals.push(...keys.slice(150).map((key) => kv.set(key, 1, { expireIn: 50 })));
      await Promise.all(renewals);
      await swept;
      clock.ms = START + 99;
      assert.equal((await contents(kv)).length, 300);
    });

    test("takes a clock that went back as it is", async (t) => {
      const { kv, clock } = await openAt(open, t, START + 1000);
      await kv.set(["a"], 1, { expireIn: 50 });
      clock.ms = START;
      await kv.set(["b"], 1, { expireIn: 50 });
      clock.ms = START + 50;
      assert.equal(await kv.sweepExpired(), 1);
      assert.equal((await kv.get(["a"])).value, 1);
    });
  });
});

test("without the option, Date.now is the clock", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: START });
  const kv = new Kv();
  await kv.set(["k"], 1, { expireIn: 50 });
  t.mock.timers.setTime(START + 49);
  assert.equal((await kv.get(["k"])).value, 1);
  t.mock.timers.setTime(START + 50);
  assert.equal((await kv.get(["k"])).value, null);
  kv.close();
});

test("a clock that gives no number rejects the operation", async (t) => {
  const kv = new Kv(":memory:", { now: () => NaN });
  t.after(() => kv.close());
  const calls = [
    () => kv.get(["k"]),
    () => kv.set(["k"], 1),
    () => kv.list({ prefix: [] }).next(),
    () => kv.sweepExpired(),
  ];
  for (const call of calls) {
    await assert.rejects(async () => call(), { name: "TypeError", code: "INVALID_ARGUMENT" });
  }
});

test(
  "what was swept is gone from the file, and only that",
  { skip: sqliteIsMissing },
  async (t) => {
    const file = temporaryFile(t);
    const clock = { ms: START };
    const kv = await openFile(t, file, { now: () => clock.ms });
    await kv.set(["a"], 1, { expireIn: 50 });
    await kv.set(["b"], 1, { expireIn: 51 });
    const rows = () => onFile(t, file, "select hex(k) as k, expiration_ms from kv order by k");
    clock.ms = START + 50;
    assert.equal(await kv.get(["a"]).then(({ value }) => value), null);
    assert.deepEqual(await rows(), [
      { k: "026100", expiration_ms: START + 50 },
      { k: "026200", expiration_ms: START + 51 },
    ]);
    await kv.sweepExpired();
    assert.deepEqual(await rows(), [{ k: "026200", expiration_ms: START + 51 }]);
  },
);

test("the stored time before 1970 is 0", { skip: sqliteIsMissing }, async (t) => {
  const file = temporaryFile(t);
  const kv = await openFile(t, file, { now: () => -51 });
  await kv.set(["a"], 1, { expireIn: 50 });
  await kv.set(["b"], 1);
  const rows = await onFile(t, file, "select expiration_ms from kv order by k");
  assert.deepEqual(rows, [{ expiration_ms: 0 }, { expiration_ms: -1 }]);
});
