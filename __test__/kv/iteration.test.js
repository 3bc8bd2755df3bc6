"use strict";

// A list as an object: cursor, break and go on, several next() at once, changes meanwhile.

const assert = require("node:assert/strict");
const path = require("node:path");
const { test } = require("node:test");
const { collect, onEachStore, openFile, temporaryFile } = require("../support/stores.js");
const { startNode } = require("../support/programs.js");
const { rounds } = require("../support/seed.js");

const REWRITER = path.join(__dirname, "programs/rewriter.js");

async function fill(kv, count) {
  const op = kv.atomic();
  for (let i = 0; i < count; i++) op.set(["k", i], i);
  await op.commit();
}

const values = (entries) => entries.map(({ value }) => value);

onEachStore((open) => {
  test("a list is its own iterator, of a result { done, value }", async (t) => {
    const kv = await open(t);
    await fill(kv, 1);
    const list = kv.list({ prefix: ["k"] });
    assert.equal(list[Symbol.asyncIterator](), list);
    const { done, value } = await list.next();
    assert.equal(done, false);
    assert.deepEqual(Object.keys(value).sort(), ["key", "value", "versionstamp"]);
    assert.deepEqual(await list.next(), { done: true, value: undefined });
    assert.deepEqual(await list.next(), { done: true, value: undefined });
  });

  test("it goes on after a break", async (t) => {
    const kv = await open(t);
    await fill(kv, 7);
    const list = kv.list({ prefix: ["k"] }, { batchSize: 2 });
    for await (const { value } of list) if (value === 2) break;
    assert.deepEqual(values(await collect(list)), [3, 4, 5, 6]);
  });

  for (const batchSize of [1, 2, 3, 100]) {
    test(`next() several times at once gives each entry once, in order (batches of ${batchSize})`, async (t) => {
      const kv = await open(t);
      await fill(kv, 7);
      const list = kv.list({ prefix: ["k"] }, { batchSize });
      const results = await Promise.all(Array.from({ length: 9 }, () => list.next()));
      assert.deepEqual(
        results.map(({ done, value }) => (done ? "done" : value.value)),
        [0, 1, 2, 3, 4, 5, 6, "done", "done"],
      );
    });
  }

  test("there is no cursor before the first entry", async (t) => {
    const kv = await open(t);
    await fill(kv, 1);
    assert.throws(() => kv.list({ prefix: ["k"] }).cursor, { name: "TypeError" });
  });

  test("the cursor follows the entries, is empty after the end, and stays at a limit", async (t) => {
    const kv = await open(t);
    await fill(kv, 3);
    const list = kv.list({ prefix: ["k"] });
    const cursors = [];
    for await (const _ of list) cursors.push(list.cursor);
    assert.equal(new Set(cursors).size, 3);
    assert.equal(list.cursor, "");
    for (const [i, cursor] of cursors.entries()) {
      const rest = await collect(kv.list({ prefix: ["k"] }, { cursor }));
      assert.deepEqual(values(rest), [0, 1, 2].slice(i + 1));
    }
    for (const limit of [1, 2, 3]) {
      const limited = kv.list({ prefix: ["k"] }, { limit });
      await collect(limited);
      assert.equal(limited.cursor, cursors[limit - 1], `limit ${limit}`);
    }
  });

  test("a cursor that was given is the cursor until there is another", async (t) => {
    const kv = await open(t);
    await fill(kv, 3);
    const first = kv.list({ prefix: ["k"] }, { limit: 1 });
    await collect(first);
    const second = kv.list({ prefix: ["k"] }, { cursor: first.cursor });
    assert.equal(second.cursor, first.cursor);
    await second.next();
    assert.notEqual(second.cursor, first.cursor);
  });

  for (const reverse of [false, true]) {
    const direction = reverse ? "backwards" : "forwards";
    test(`a cursor outlives its entry, deleted or swept (${direction})`, async (t) => {
      const clock = { ms: 0 };
      const kv = await open(t, { now: () => clock.ms });
      await fill(kv, 5);
      await kv.set(["k", 1], 1, { expireIn: 50 });
      await kv.set(["k", 3], 3, { expireIn: 50 });
      const list = kv.list({ prefix: ["k"] }, { reverse, limit: 2 });
      const [, { value: at }] = await collect(list);
      clock.ms = 50;
      await kv.delete(["k", at]);
      await kv.sweepExpired();
      const rest = await collect(kv.list({ prefix: ["k"] }, { reverse, cursor: list.cursor }));
      const expected = [0, 2, 4].filter((i) => (reverse ? i < at : i > at));
      assert.deepEqual(values(rest), reverse ? expected.toReversed() : expected);
    });

    test(`a list goes on past entries deleted under it (${direction})`, async (t) => {
      const kv = await open(t);
      await fill(kv, 6);
      const list = kv.list({ prefix: ["k"] }, { reverse, batchSize: 1 });
      const seen = [];
      for await (const { key, value } of list) {
        seen.push(value);
        await kv.delete(key);
        if (value === 2) await kv.delete(["k", reverse ? 1 : 3]);
      }
      const skipped = reverse ? [5, 4, 3, 2, 0] : [0, 1, 2, 4, 5];
      assert.deepEqual(seen, skipped);
    });
  }

  test("later batches see what was written meanwhile, the batch at hand does not", async (t) => {
    const kv = await open(t);
    await fill(kv, 4);
    const list = kv.list({ prefix: ["k"] }, { batchSize: 2 });
    await list.next();
    await kv.atomic().set(["k", 1], "late").set(["k", 2], "new").commit();
    assert.deepEqual(values(await collect(list)), [1, "new", 3]);
  });

  test("what a list gave is the caller's own", async (t) => {
    const kv = await open(t);
    await kv.set([new Uint8Array(2), "a"], { n: 1 });
    const read = async () => (await kv.list({ prefix: [] }).next()).value;
    const first = await read();
    first.key[0][0] = 9;
    first.key.push("b");
    first.value.n = 2;
    const second = await read();
    assert.deepEqual(second.key, [new Uint8Array(2), "a"]);
    assert.deepEqual(second.value, { n: 1 });
  });

  test("an empty range ends at once", async (t) => {
    const kv = await open(t);
    await fill(kv, 3);
    const list = kv.list({ start: ["k", 1], end: ["k", 1] });
    assert.equal((await list.next()).done, true);
    assert.equal(list.cursor, "");
  });
});

test("getMany, and each batch of a list, are one snapshot while another process writes", async (t) => {
  const file = temporaryFile(t);
  const kv = await openFile(t, file);
  const keys = Array.from({ length: 10 }, (_, i) => ["k", i]);
  const writer = startNode(t, REWRITER, [file]);
  let latest = await writer.line();
  for (let i = 0; i < rounds(20_000); i++) {
    for (const entries of [
      await kv.getMany(keys),
      await collect(kv.list({ prefix: ["k"] }, { reverse: i % 2 === 0 })),
    ]) {
      assert.equal(new Set(values(entries)).size, 1, String(values(entries)));
      assert.ok(entries[0].value >= latest, "a read is older than the one before it");
      latest = entries[0].value;
    }
  }
  assert.ok(latest > 10, `the writer came to ${latest} only`);
});
