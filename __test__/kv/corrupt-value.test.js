"use strict";

// A stored value that does not decode: its key rejects, its neighbours do not.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { Kv, KvError, openKv } = require("../../index.js");
const { onFile, sqliteIsMissing } = require("../support/sqlite.js");
const { collect, openFile, temporaryFile } = require("../support/stores.js");

/** A file with the values 0 to 4 of which that of key 2 is garbage, and a handle on it. */
async function damaged(t) {
  const file = temporaryFile(t);
  const vandal = await openFile(t, file, {
    encodeV8: (value) =>
      value === 2 ? Uint8Array.of(0xff, 0x0f, 0x2a) : Uint8Array.of(0xff, 0x0f, 0x49, 2 * value),
    decodeV8: () => assert.fail("nothing is read here"),
  });
  const op = vandal.atomic();
  for (let i = 0; i < 5; i++) op.set(["k", i], i);
  await op.commit();
  return openFile(t, file);
}

const values = (entries) => entries.map(({ value }) => value);

function isCorruptValue(error) {
  assert.ok(error instanceof KvError);
  assert.equal(error.code, "CORRUPT_VALUE");
  return true;
}

test("get and getMany reject with CORRUPT_VALUE, and only for that key", async (t) => {
  const kv = await damaged(t);
  await assert.rejects(kv.get(["k", 2]), isCorruptValue);
  await assert.rejects(
    kv.getMany([
      ["k", 1],
      ["k", 2],
    ]),
    isCorruptValue,
  );
  assert.equal((await kv.get(["k", 1])).value, 1);
  assert.deepEqual(
    values(
      await kv.getMany([
        ["k", 3],
        ["k", 4],
      ]),
    ),
    [3, 4],
  );
});

test("it can be overwritten, deleted and checked", async (t) => {
  const kv = await damaged(t);
  assert.equal(
    (
      await kv
        .atomic()
        .check({ key: ["k", 2], versionstamp: null })
        .commit()
    ).ok,
    false,
  );
  await kv.set(["k", 2], "new");
  assert.equal((await kv.get(["k", 2])).value, "new");
});

for (const reverse of [false, true]) {
  for (const batchSize of [1, 2, 3, 100]) {
    test(`a ${reverse ? "reverse " : ""}list in batches of ${batchSize} yields what is before it, rejects at it and goes on`, async (t) => {
      const kv = await damaged(t);
      const [before, after] = reverse
        ? [
            [4, 3],
            [1, 0],
          ]
        : [
            [0, 1],
            [3, 4],
          ];
      const list = kv.list({ prefix: ["k"] }, { reverse, batchSize });
      assert.deepEqual([(await list.next()).value.value, (await list.next()).value.value], before);

      const error = await list.next().then(
        () => assert.fail("it did not reject"),
        (it) => it,
      );
      isCorruptValue(error);
      assert.deepEqual(error.key, ["k", 2]);
      assert.equal(error.cursor, list.cursor);

      const resumed = kv.list({ prefix: ["k"] }, { reverse, batchSize, cursor: error.cursor });
      assert.deepEqual(values(await collect(resumed)), after, "from the cursor");
      assert.deepEqual(values(await collect(list)), after, "by another next()");
    });
  }
}

test("next() several times at once rejects once", async (t) => {
  const kv = await damaged(t);
  const list = kv.list({ prefix: ["k"] }, { batchSize: 2 });
  const results = await Promise.allSettled(Array.from({ length: 6 }, () => list.next()));
  assert.deepEqual(
    results.map(({ reason, value }) => reason?.code ?? (value.done ? "done" : value.value.value)),
    [0, 1, "CORRUPT_VALUE", 3, 4, "done"],
  );
});

test("where the caller's own decodeV8 throws, a list says where and goes on", async (t) => {
  const thrown = Object.freeze(new RangeError("no such value"));
  const kv = new Kv(":memory:", {
    encodeV8: (value) => Uint8Array.of(value),
    decodeV8: ([value]) => {
      if (value === 1) throw thrown;
      return value;
    },
  });
  t.after(() => kv.close());
  await kv.atomic().set(["k", 0], 0).set(["k", 1], 1).set(["k", 2], 2).commit();
  const list = kv.list({ prefix: ["k"] });
  assert.equal((await list.next()).value.value, 0);
  await assert.rejects(list.next(), ({ key, cursor }) => {
    assert.deepEqual({ key, cursor }, { key: ["k", 1], cursor: list.cursor });
    return true;
  });
  assert.deepEqual(values(await collect(kv.list({ prefix: ["k"] }, { cursor: list.cursor }))), [2]);
  await assert.rejects(kv.get(["k", 1]));
});

test("a decodeV8 that throws undefined rejects all the same", async (t) => {
  const kv = new Kv(":memory:", {
    encodeV8: () => Uint8Array.of(1),
    decodeV8: () => {
      throw undefined;
    },
  });
  t.after(() => kv.close());
  await kv.set(["k"], 1);
  const settled = await Promise.allSettled([kv.get(["k"]), kv.list({ prefix: [] }).next()]);
  assert.deepEqual(
    settled.map(({ status }) => status),
    ["rejected", "rejected"],
  );
});

test("a decodeV8 that reads the store itself disturbs nothing", async (t) => {
  const kv = new Kv(":memory:", {
    encodeV8: (value) => new TextEncoder().encode(value),
    decodeV8: (bytes) => {
      kv.get(["other"]).catch(() => {});
      return new TextDecoder().decode(bytes);
    },
    now: () => 0,
  });
  t.after(() => kv.close());
  await kv.set(["other"], new Uint8Array(100).fill(7));
  const words = ["one", "twenty", "three hundred", "four"];
  for (const [i, word] of words.entries()) await kv.set(["k", i], word);
  assert.deepEqual(values(await collect(kv.list({ prefix: ["k"] }))), words);
  const many = await kv.getMany(words.map((_, i) => ["k", i]));
  assert.deepEqual(values(many), words);
});

/** What a stranger may have left in the row of the key `["k", 2]`. */
const ROWS = {
  "an unknown encoding": "v_encoding = 9",
  "a U64 of 7 bytes": "v_encoding = 2, v = x'00000000000000'",
  "no bytes at all": "v = x''",
};

for (const [name, assignment] of Object.entries(ROWS)) {
  test(`a row that holds ${name}`, { skip: sqliteIsMissing }, async (t) => {
    const file = temporaryFile(t);
    const kv = await openFile(t, file);
    for (let i = 1; i < 4; i++) await kv.set(["k", i], i);
    await onFile(t, file, `update kv set ${assignment} where k = x'026B0021C000000000000000'`);
    await assert.rejects(kv.get(["k", 2]), isCorruptValue);
    const list = kv.list({ prefix: ["k"] });
    assert.equal((await list.next()).value.value, 1);
    await assert.rejects(list.next(), isCorruptValue);
    assert.deepEqual(values(await collect(list)), [3]);
  });
}

test(
  "a row whose key does not decode rejects as CORRUPT, and the list goes on",
  { skip: sqliteIsMissing },
  async (t) => {
    const file = temporaryFile(t);
    const kv = await openKv(file);
    t.after(() => kv.close());
    await kv.set(["a"], 1);
    await kv.set([true], 2);
    await onFile(
      t,
      file,
      "insert into kv (k, v, v_encoding, version) values (x'0261', x'ff0f4902', 1, 1)",
    );
    const list = kv.list({ prefix: [] });
    const rejected = await list.next().then(
      () => undefined,
      (error) => error,
    );
    const error =
      rejected ??
      (await list.next().then(
        () => undefined,
        (error) => error,
      ));
    assert.equal(error.code, "CORRUPT");
    assert.equal(error.cursor, list.cursor);
    assert.deepEqual((await collect(list)).at(-1).value, 2);
  },
);
