"use strict";

// Closing a handle: what is pending settles truthfully, what comes later is refused.

const assert = require("node:assert/strict");
const { describe, test } = require("node:test");
const { KvError } = require("../../index.js");
const { collect, contents, onEachStore, openFile, temporaryFile } = require("../support/stores.js");

/** Every call that a closed handle refuses. */
const CALLS = {
  get: (kv) => kv.get(["k"]),
  getMany: (kv) => kv.getMany([["k"]]),
  "getMany of nothing": (kv) => kv.getMany([]),
  set: (kv) => kv.set(["k"], 1),
  delete: (kv) => kv.delete(["k"]),
  "list().next": (kv) => kv.list({ prefix: [] }).next(),
  "an operation's commit": (kv) => kv.atomic().set(["k"], 1).commit(),
  "an empty commit": (kv) => kv.atomic().commit(),
  sweepExpired: (kv) => kv.sweepExpired(),
};

onEachStore((open) => {
  for (const [name, call] of Object.entries(CALLS)) {
    test(`${name} after close rejects with CLOSED`, async (t) => {
      const kv = await open(t);
      await kv.set(["k"], 1);
      kv.close();
      await assert.rejects(
        call(kv),
        (error) => error instanceof KvError && error.code === "CLOSED",
      );
    });
  }

  test("an operation begun before close is refused after it", async (t) => {
    const kv = await open(t);
    const op = kv.atomic().set(["k"], 1);
    kv.close();
    await assert.rejects(op.commit(), { code: "CLOSED" });
  });

  test("closing again, in every manner, changes nothing", async (t) => {
    const kv = await open(t);
    kv.close();
    kv.close();
    kv[Symbol.dispose]();
    await kv[Symbol.asyncDispose]();
    await assert.rejects(kv.get(["k"]), { code: "CLOSED" });
  });

  test("Symbol.dispose closes", async (t) => {
    const kv = await open(t);
    const pending = kv.set(["k"], 1);
    assert.equal(kv[Symbol.dispose](), undefined);
    assert.equal((await pending).ok, true);
    await assert.rejects(kv.get(["k"]), { code: "CLOSED" });
  });

  test("Symbol.asyncDispose closes at once and waits for what is pending", async (t) => {
    const kv = await open(t);
    let settled = 0;
    const count = () => (settled += 1);
    for (let i = 0; i < 20; i++) kv.set(["k", i], i).then(count);
    kv.get(["k", 3]).then(count);
    kv.atomic().set(["x"], 1).sum(["x"], 1n).commit().catch(count);
    const disposed = kv[Symbol.asyncDispose]();
    await assert.rejects(kv.get(["k"]), { code: "CLOSED" });
    await disposed;
    assert.equal(settled, 22);
  });

  test("a list that has a page at hand gives it, then ends", async (t) => {
    const kv = await open(t);
    for (let i = 0; i < 4; i++) await kv.set(["k", i], i);
    const list = kv.list({ prefix: ["k"] }, { batchSize: 2 });
    await list.next();
    kv.close();
    assert.deepEqual(
      (await collect(list)).map(({ value }) => value),
      [1],
    );
    assert.equal((await list.next()).done, true);
  });

  test("a list made before close and not begun ends", async (t) => {
    const kv = await open(t);
    await kv.set(["k"], 1);
    const list = kv.list({ prefix: [] });
    kv.close();
    assert.equal((await list.next()).done, true);
  });

  test("a page that was asked for before close comes", async (t) => {
    const kv = await open(t);
    kv.set(["k"], 1);
    const list = kv.list({ prefix: [] });
    const first = list.next();
    kv.close();
    assert.equal((await first).value.value, 1);
    assert.equal((await list.next()).done, true);
  });

  test("reads pending at close give what was there", async (t) => {
    const kv = await open(t);
    kv.set(["k"], 1);
    const reads = [kv.get(["k"]), kv.getMany([["k"]]).then(([entry]) => entry)];
    kv.close();
    for (const { value } of await Promise.all(reads)) assert.equal(value, 1);
  });

  test("a commit pending at close may fail by its own fault only", async (t) => {
    const kv = await open(t);
    const outcomes = [
      kv.set(["k"], "text"),
      kv.atomic().sum(["k"], 1n).commit(),
      kv
        .atomic()
        .check({ key: ["k"], versionstamp: null })
        .commit(),
    ];
    kv.close();
    const [set, failed, refused] = await Promise.allSettled(outcomes);
    assert.equal(set.value.ok, true);
    assert.equal(failed.reason.code, "TYPE_MISMATCH");
    assert.equal(refused.value.ok, false);
  });
});

describe("on a file that is opened again", () => {
  /** Closes in the middle of what `begin` starts; gives its outcomes and another handle. */
  async function closeAmid(t, begin, options) {
    const file = temporaryFile(t);
    const kv = await openFile(t, file, options);
    const pending = await begin(kv);
    kv.close();
    const outcomes = await Promise.allSettled(pending);
    return { outcomes, kv: await openFile(t, file, options) };
  }

  test("what resolved has landed, what rejected has not", async (t) => {
    const { outcomes, kv } = await closeAmid(t, (kv) =>
      Array.from({ length: 500 }, (_, i) => {
        const op = kv.atomic().set(["k", i], i);
        return (i % 5 === 0 ? op.set(["t"], 1).sum(["t"], 1n) : op).commit();
      }),
    );
    const landed = new Set((await contents(kv)).map(({ key }) => key[1]));
    outcomes.forEach(({ status }, i) =>
      assert.equal(landed.has(i), status === "fulfilled", `${i}`),
    );
    assert.equal(landed.size, 400);
  });

  test("a sweep says truly how much it removed", async (t) => {
    const clock = { ms: 0 };
    const { outcomes, kv } = await closeAmid(
      t,
      async (kv) => {
        for (let batch = 0; batch < 3; batch++) {
          const op = kv.atomic();
          for (let i = 0; i < 800; i++) op.set([batch, i], 1, { expireIn: 50 });
          await op.commit();
        }
        clock.ms = 50;
        return [kv.sweepExpired()];
      },
      { now: () => clock.ms },
    );
    const [{ value = 0 }] = outcomes;
    assert.equal(await kv.sweepExpired(), 2400 - value);
  });
});

test("a handle that was never used closes", async (t) => {
  const { Kv } = require("../../index.js");
  const kv = new Kv(temporaryFile(t));
  await kv[Symbol.asyncDispose]();
  await assert.rejects(kv.get(["k"]), { code: "CLOSED" });
});

test("of two handles on a file only the one that was closed is closed", async (t) => {
  const file = temporaryFile(t);
  const [a, b] = [await openFile(t, file), await openFile(t, file)];
  await a.set(["k"], 1);
  await a[Symbol.asyncDispose]();
  await b.set(["k"], 2);
  assert.equal((await b.get(["k"])).value, 2);
});
