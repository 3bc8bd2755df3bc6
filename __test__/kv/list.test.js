"use strict";

// Whatever the direction, limit, batch size and cursor: the pages of a list, put together, are one
// full scan in the order of the model.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const fc = require("fast-check");
const { anyKey, anyPart } = require("../support/keys.js");
const { compareKeys } = require("../support/key-order.js");
const { ModelKv } = require("../support/model.js");
const { holds } = require("../support/seed.js");
const { collect, onEachStore, withStore } = require("../support/stores.js");

const RUNS = 1000;

/** Keys in their order: neighbours of every type, and the edges of each. */
const SORTED = [
  [Uint8Array.of()],
  [Uint8Array.of(), 0],
  [Uint8Array.of(0)],
  [Uint8Array.of(0, 0)],
  [Uint8Array.of(0, 255)],
  [Uint8Array.of(1)],
  [Uint8Array.of(255)],
  [""],
  ["", ""],
  ["\0"],
  ["\0\0"],
  ["\0\xff"],
  ["\x01"],
  ["a"],
  ["a", Uint8Array.of()],
  ["a", true],
  ["a\0"],
  ["a\0b"],
  ["aa"],
  ["a".repeat(1500)],
  ["\xff"],
  ["\ud7ff"],
  ["\uffff"],
  ["\u{10000}"],
  ["\u{10ffff}"],
  [-(2n ** 2040n) + 1n],
  [-(2n ** 72n)],
  [-(2n ** 64n)],
  [-(2n ** 64n) + 1n],
  [-256n],
  [-255n],
  [-1n],
  [0n],
  [1n],
  [255n],
  [256n],
  [2n ** 64n - 1n],
  [2n ** 64n],
  [2n ** 72n],
  [2n ** 2040n - 1n],
  [-Infinity],
  [-Number.MAX_VALUE],
  [-1.5],
  [-Number.MIN_VALUE],
  [-0],
  [0],
  [Number.MIN_VALUE],
  [1],
  [2 ** 53],
  [Infinity],
  [NaN],
  [false],
  [false, 1],
  [true],
];

const keys = fc.uniqueArray(anyKey(), {
  minLength: 1,
  maxLength: 25,
  comparator: (a, b) => compareKeys(a, b) === 0,
});

/** Selectors whose bounds often are keys that are there, or their prefixes. */
function selectorFor(keys) {
  const known = fc.constantFrom(...keys);
  const bound = fc.oneof({ weight: 3, arbitrary: known }, anyKey({ minLength: 0 }));
  const prefix = fc
    .tuple(known, fc.nat(3))
    .map(([key, length]) => key.slice(0, length % (key.length + 1)));
  const below = (given) =>
    fc.array(anyPart, { minLength: 1, maxLength: 2 }).map((tail) => [...given, ...tail]);
  return fc.oneof(
    prefix.map((prefix) => ({ prefix })),
    fc.tuple(bound, bound).map((pair) => {
      const [start, end] = pair.sort(compareKeys);
      return { start, end };
    }),
    prefix.chain((prefix) => below(prefix).map((start) => ({ prefix, start }))),
    prefix.chain((prefix) => below(prefix).map((end) => ({ prefix, end }))),
    prefix.chain((prefix) =>
      fc.tuple(below(prefix), below(prefix)).map((pair) => {
        const [start, end] = pair.sort(compareKeys);
        return { prefix, start, end };
      }),
    ),
  );
}

const walk = fc.record({
  reverse: fc.boolean(),
  limit: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
  batchSize: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
});

/** Goes through a selector in lists of `limit` entries, each from the cursor of the one before. */
async function walkThrough(kv, selector, options) {
  const entries = [];
  let cursor;
  do {
    const list = kv.list(selector, { ...options, cursor });
    const page = await collect(list);
    assert.ok(page.length <= (options.limit ?? Infinity), "more than the limit");
    entries.push(...page);
    assert.notEqual(list.cursor, cursor, "the cursor stands still");
    cursor = list.cursor;
  } while (cursor !== "");
  return entries;
}

async function fill(kv, keys) {
  const model = new ModelKv();
  const op = kv.atomic();
  const mutations = keys.map((key, value) => ({ type: "set", key, value }));
  for (const { key, value } of mutations) op.set(key, value);
  await op.commit();
  model.commit([], mutations, 0);
  return model;
}

onEachStore((open) => {
  test("pages put together equal one full scan in the model's order", async (t) => {
    const cases = keys.chain((keys) =>
      fc.record({ keys: fc.constant(keys), selector: selectorFor(keys), walk }),
    );
    const property = fc.asyncProperty(cases, ({ keys, selector, walk }) =>
      withStore(open, async (kv) => {
        const model = await fill(kv, keys);
        const expected = model.list(selector, { reverse: walk.reverse }, 0);
        const actual = await walkThrough(kv, selector, walk);
        assert.deepEqual(
          actual.map(({ key, value }) => ({ key, value })),
          expected.map(({ key, value }) => ({ key, value })),
        );
      }),
    );
    await holds(t, property, RUNS);
  });

  test("keys of all types come in order, each can be read, and its cursor goes on past it", async (t) => {
    const kv = await open(t);
    await fill(kv, SORTED.toReversed());
    const entries = await collect(kv.list({ prefix: [] }));
    assert.deepEqual(
      entries.map(({ key }) => key),
      SORTED,
    );
    for (const [i, key] of SORTED.entries()) {
      const entry = await kv.get(key);
      assert.deepEqual(entry.key, key);
      assert.equal(entry.value, SORTED.length - 1 - i);
    }
    for (const reverse of [false, true]) {
      const paged = await walkThrough(kv, { prefix: [] }, { reverse, limit: 1 });
      assert.deepEqual(paged, reverse ? entries.toReversed() : entries);
    }
  });

  test("a prefix lists what is under it by parts, and not itself", async (t) => {
    const kv = await open(t);
    const under = [
      ["p", Uint8Array.of()],
      ["p", "b"],
      ["p", true],
    ];
    await fill(kv, [["p"], ["p\0b"], ["p\0"], ["q"], ["o", "p"], ...under]);
    const list = await collect(kv.list({ prefix: ["p"] }));
    assert.deepEqual(
      list.map(({ key }) => key),
      under,
    );
  });

  test("numbers order a due index: one scan up to now + 1 gives what is due", async (t) => {
    const kv = await open(t);
    const dues = [0.5, 1, 9, 10, 11, 100, 1e12, 1e12 + 1];
    await fill(
      kv,
      dues.map((due) => ["due", "name", due]),
    );
    const scan = kv.list({ start: ["due", "name"], end: ["due", "name", 10 + 1] });
    const due = (await collect(scan)).map(({ key }) => key[2]);
    assert.deepEqual(due, [0.5, 1, 9, 10]);
  });

  for (const count of [99, 100, 101, 499, 500, 501, 1100]) {
    test(`${count} entries in the default batches`, async (t) => {
      const kv = await open(t);
      for (let first = 0; first < count; first += 1000) {
        const op = kv.atomic();
        for (let i = first; i < Math.min(first + 1000, count); i++) op.set(["k", i], i);
        await op.commit();
      }
      const expected = Array.from({ length: count }, (_, i) => i);
      const values = async (options) =>
        (await collect(kv.list({ prefix: ["k"] }, options))).map(({ value }) => value);
      assert.deepEqual(await values(), expected);
      assert.deepEqual(await values({ limit: count }), expected);
      assert.deepEqual(await values({ batchSize: 500, reverse: true }), expected.toReversed());
    });
  }

  test("entries too large for one buffer come whole and in order", async (t) => {
    const kv = await open(t);
    for (let i = 0; i < 40; i++) await kv.set(["k", i], new Uint8Array(65_536).fill(i));
    const entries = await collect(kv.list({ prefix: ["k"] }));
    assert.equal(entries.length, 40);
    entries.forEach(({ key, value }, i) => {
      assert.deepEqual(key, ["k", i]);
      assert.ok(value.length === 65_536 && value.every((byte) => byte === i));
    });
  });
});
