"use strict";

// Options are checked at construction, unknown ones refused by name; limits can be moved both ways.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { Kv, openKv } = require("../../index.js");
const { collect, onEachStore, openFile, temporaryFile } = require("../support/stores.js");

const WRONG = {
  "an unknown option": {
    options: { buzyTimeoutMs: 5 },
    code: "UNKNOWN_OPTION",
    names: "buzyTimeoutMs",
  },
  "an unknown limit": {
    options: { limits: { values: 5 } },
    code: "UNKNOWN_OPTION",
    names: "values",
  },
  "now that is no function": { options: { now: 5 }, names: "now" },
  "another durability": { options: { durability: "none" }, names: "durability" },
  "a negative timeout": { options: { busyTimeoutMs: -1 }, names: "busyTimeoutMs" },
  "a timeout of NaN": { options: { busyTimeoutMs: NaN }, names: "busyTimeoutMs" },
  "a limit of text": { options: { limits: { checks: "5" } }, names: "checks" },
  "a negative limit": { options: { limits: { checks: -1 } }, names: "checks" },
  "limits that are no object": { options: { limits: 5 }, names: "limits" },
  "encodeV8 alone": { options: { encodeV8: () => {} }, names: "decodeV8" },
  "decodeV8 alone": { options: { decodeV8: () => {} }, names: "encodeV8" },
  "an accessToken": { options: { accessToken: "x" }, code: "UNSUPPORTED", names: "accessToken" },
};

for (const [name, { options, code = "INVALID_ARGUMENT", names }] of Object.entries(WRONG)) {
  test(`${name} is refused by name`, async (t) => {
    const file = temporaryFile(t);
    const expected = { name: "TypeError", code, message: new RegExp(names) };
    assert.throws(() => new Kv(":memory:", options), expected);
    assert.throws(() => new Kv(file, options), expected);
    await assert.rejects(async () => openKv(file, options), expected);
  });
}

test("options that are no object, and paths that are none, are refused", async () => {
  for (const options of [5, "x", []]) {
    assert.throws(() => new Kv(":memory:", options), {
      name: "TypeError",
      code: "INVALID_ARGUMENT",
    });
  }
  for (const path of ["", 5, null, "a\0b", ":other:"]) {
    assert.throws(() => new Kv(path), { name: "TypeError", code: "INVALID_ARGUMENT" });
  }
  assert.throws(() => new Kv("https://example.com"), { name: "TypeError", code: "UNSUPPORTED" });
});

test("an option given as undefined counts as not given", async (t) => {
  const names = [
    "now",
    "durability",
    "busyTimeoutMs",
    "limits",
    "encodeV8",
    "decodeV8",
    "debug",
    "accessToken",
  ];
  const options = Object.fromEntries(names.map((name) => [name, undefined]));
  const kv = await openFile(t, temporaryFile(t), options);
  await kv.set(["k"], { n: 1 });
  assert.deepEqual((await kv.get(["k"])).value, { n: 1 });
});

test("durability normal commits as full does", async (t) => {
  const file = temporaryFile(t);
  const kv = await openFile(t, file, { durability: "normal" });
  await kv.set(["k"], 1);
  assert.equal((await (await openFile(t, file)).get(["k"])).value, 1);
});

onEachStore((open) => {
  /** Each limit at 3 and a bit, and what is just past it. */
  const PAST = {
    checks: {
      limit: 3,
      call: (kv) =>
        [0, 1, 2, 3]
          .reduce((op, i) => op.check({ key: [i], versionstamp: null }), kv.atomic())
          .commit(),
    },
    mutations: {
      limit: 3,
      call: (kv) => [0, 1, 2, 3].reduce((op, i) => op.delete([i]), kv.atomic()).commit(),
    },
    keysPerGetMany: { limit: 3, call: (kv) => kv.getMany([["a"], ["b"], ["c"], ["d"]]) },
    batchSize: { limit: 3, call: (kv) => kv.list({ prefix: [] }, { batchSize: 4 }).next() },
    valueBytes: { limit: 10, call: (kv) => kv.set(["k"], new Uint8Array(11)) },
    keyWriteBytes: { limit: 10, call: (kv) => kv.set(["k".repeat(9)], 1) },
    keyReadBytes: {
      limit: 10,
      call: (kv) => kv.list({ start: ["k".repeat(9)], end: ["l"] }).next(),
    },
    commitBytes: { limit: 100, call: (kv) => kv.set(["k"], new Uint8Array(100)) },
    commitKeyBytes: { limit: 100, call: (kv) => kv.set(["k".repeat(100)], 1) },
  };

  for (const [name, { limit, call }] of Object.entries(PAST)) {
    test(`limits.${name} can be lowered and lifted`, async (t) => {
      const low = await open(t, { limits: { [name]: limit } });
      await assert.rejects(async () => call(low), {
        name: "TypeError",
        code: "LIMIT_EXCEEDED",
        limit: name,
        max: limit,
      });
      assert.deepEqual(await collect(low.list({ prefix: [] }, { batchSize: 1 })), []);
      await call(await open(t, { limits: { [name]: Infinity } }));
    });
  }

  test("lifted limits let through what Deno's do not", async (t) => {
    const lifted = [
      "keyWriteBytes",
      "keyReadBytes",
      "valueBytes",
      "commitBytes",
      "commitKeyBytes",
      "keysPerGetMany",
      "mutations",
    ];
    const limits = Object.fromEntries(lifted.map((name) => [name, Infinity]));
    const kv = await open(t, { limits });
    const key = ["k".repeat(100_000)];
    const value = new Uint8Array(5_000_000).fill(3);
    await kv.set(key, value);
    assert.deepEqual((await kv.get(key)).value, value);
    assert.deepEqual((await kv.list({ prefix: [] }).next()).value.key, key);
    const op = kv.atomic();
    for (let i = 0; i < 3000; i++) op.set(["n", i], i);
    await op.commit();
    const many = await kv.getMany(Array.from({ length: 500 }, (_, i) => ["n", i]));
    assert.deepEqual(
      many.map((entry) => entry.value),
      many.map((_, i) => i),
    );
  });
});
