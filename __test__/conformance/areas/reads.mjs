// Reads of many entries, and the end of a handle, on an empty store of either kind.

import { KvListIterator } from "../../../index.mjs";
import { assert, refused } from "../counted.mjs";
import { collect, keysOf } from "../lists.mjs";

export async function lists(kv) {
  const names = Array.from({ length: 25 }, (_, i) => ["n", i]);
  for (const key of [["m"], ["n"], ["n\0", 1], ...names]) await kv.set(key, key.length);
  const list = kv.list({ prefix: ["n"] });
  assert.ok(list instanceof KvListIterator);
  assert.equal(list[Symbol.asyncIterator](), list);
  await refused("TypeError", "INVALID_ARGUMENT", () => list.cursor);
  for await (const { key } of list) if (key[1] === 3) break;
  assert.deepEqual((await list.next()).value.key, ["n", 4], "it goes on after a break");

  const [start, end] = [
    ["n", 5],
    ["n", 20],
  ];
  assert.deepEqual(await keysOf(kv, { prefix: ["n"] }), names);
  assert.deepEqual(await keysOf(kv, { prefix: ["n"], start }), names.slice(5));
  assert.deepEqual(await keysOf(kv, { prefix: ["n"], end }), names.slice(0, 20));
  assert.deepEqual(await keysOf(kv, { prefix: ["n"], start, end }), names.slice(5, 20));
  assert.deepEqual(await keysOf(kv, { start: ["m"], end }), [["m"], ["n"], ...names.slice(0, 20)]);
  assert.deepEqual(await keysOf(kv, { prefix: ["n"] }, { limit: 2, consistency: "eventual" }), [
    ["n", 0],
    ["n", 1],
  ]);

  for (const reverse of [false, true]) {
    const whole = reverse ? names.toReversed() : names;
    for (const [limit, batchSize] of [[1], [7, 2], [10, 100], [25]]) {
      const pages = [];
      let cursor;
      do {
        const page = kv.list({ prefix: ["n"] }, { limit, batchSize, reverse, cursor });
        for await (const { key } of page) pages.push(key);
        cursor = page.cursor;
      } while (cursor !== "");
      assert.deepEqual(pages, whole, "the pages together are the whole");
    }
  }

  const page = kv.list({ prefix: ["n"] }, { limit: 3 });
  await collect(page);
  await kv.delete(["n", 2]);
  const rest = await keysOf(kv, { prefix: ["n"] }, { cursor: page.cursor });
  assert.deepEqual(rest, names.slice(3), "a cursor outlives its key");

  const next = (selector, options) => () => kv.list(selector, options).next();
  for (const selector of [{}, null, { start }, { end }, { start: end, end: start }]) {
    await refused("TypeError", "INVALID_SELECTOR", next(selector));
  }
  await refused("TypeError", "INVALID_SELECTOR", next({ prefix: ["m"], start }));
  await refused("TypeError", "INVALID_CURSOR", next({ prefix: ["n"] }, { cursor: "no cursor" }));
  for (const wrong of [{ limit: 0 }, { limit: 1.5 }, { batchSize: -1 }, { consistency: "weak" }]) {
    await refused("TypeError", "INVALID_ARGUMENT", next({ prefix: ["n"] }, wrong));
  }
  await refused("TypeError", "LIMIT_EXCEEDED", next({ prefix: ["n"] }, { batchSize: 1001 }));
}

export async function getMany(kv) {
  const { versionstamp } = await kv.set(["b"], 2);
  const absent = { key: ["a"], value: null, versionstamp: null };
  const found = { key: ["b"], value: 2, versionstamp };
  assert.deepEqual(await kv.getMany([["b"], ["a"], ["b"]]), [found, absent, { ...found }]);
  assert.deepEqual(await kv.getMany([], { consistency: "strong" }), []);
  await refused("TypeError", "INVALID_ARGUMENT", () => kv.getMany(["b"].values()));
  await refused("TypeError", "LIMIT_EXCEEDED", () => kv.getMany(Array(11).fill(["b"])));
}

export async function closing(kv) {
  const list = kv.list({ prefix: [] });
  const pending = [kv.set(["a"], 1), kv.get(["a"])];
  const op = kv.atomic().set(["b"], 1);
  kv.close();
  kv.close();
  kv[Symbol.dispose]();
  assert.equal((await pending[0]).ok, true, "what was asked before settles");
  assert.equal((await pending[1]).value, 1);
  assert.deepEqual(await list.next(), { done: true, value: undefined });
  const later = [
    () => kv.get(["a"]),
    () => kv.getMany([["a"]]),
    () => kv.set(["a"], 1),
    () => kv.delete(["a"]),
    () => op.commit(),
    () => kv.list({ prefix: [] }).next(),
    () => kv.sweepExpired(),
  ];
  for (const call of later) await refused("KvError", "CLOSED", call);
  assert.equal(await kv[Symbol.asyncDispose](), undefined);
}
