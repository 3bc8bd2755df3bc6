"use strict";

// Values at the public door: what is raw, what is a KvU64, and that bytes and keys are taken when a
// call is made. What the codec carries stands in __test__/codec.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const vm = require("node:vm");
const { KvU64 } = require("../../index.js");
const { contents, onEachStore } = require("../support/stores.js");

onEachStore((open) => {
  async function through(t, value) {
    const kv = await open(t);
    await kv.set(["k"], value);
    return (await kv.get(["k"])).value;
  }

  test("a Uint8Array comes back as a plain one on a buffer of its own", async (t) => {
    const pool = new Uint8Array(64).fill(9);
    const value = await through(t, pool.subarray(8, 12));
    assert.equal(Object.getPrototypeOf(value), Uint8Array.prototype);
    assert.deepEqual(value, Uint8Array.of(9, 9, 9, 9));
    assert.equal(value.byteOffset, 0);
    assert.equal(value.buffer.byteLength, 4);
  });

  test("so does a Buffer, an empty one, and one of another realm", async (t) => {
    const buffer = await through(t, Buffer.from("text"));
    assert.equal(Object.getPrototypeOf(buffer), Uint8Array.prototype);
    assert.equal(buffer.buffer.byteLength, 4);
    assert.deepEqual(await through(t, new Uint8Array()), new Uint8Array());
    const foreign = vm.runInNewContext("Uint8Array.of(1, 2)");
    assert.deepEqual(await through(t, foreign), Uint8Array.of(1, 2));
  });

  test("two reads of it share no memory, nor do a read and a later one", async (t) => {
    const kv = await open(t);
    await kv.set(["k"], Uint8Array.of(1, 2, 3));
    const [a, b] = await Promise.all([kv.get(["k"]), kv.get(["k"])]);
    a.value.fill(0);
    assert.deepEqual(b.value, Uint8Array.of(1, 2, 3));
    assert.deepEqual((await kv.get(["k"])).value, Uint8Array.of(1, 2, 3));
    assert.deepEqual(b.value, Uint8Array.of(1, 2, 3));
  });

  for (const value of [0n, 1n, 2n ** 63n, 2n ** 64n - 1n]) {
    test(`KvU64 of ${value}`, async (t) => {
      const read = await through(t, new KvU64(value));
      assert.ok(read instanceof KvU64);
      assert.equal(read.value, value);
    });
  }

  test("undefined and null are values, and not absence", async (t) => {
    const kv = await open(t);
    for (const value of [undefined, null]) {
      await kv.set(["k"], value);
      const entry = await kv.get(["k"]);
      assert.equal(entry.value, value);
      assert.notEqual(entry.versionstamp, null);
      assert.deepEqual(await contents(kv), [entry]);
      const absent = await kv
        .atomic()
        .check({ key: ["k"], versionstamp: null })
        .commit();
      assert.equal(absent.ok, false);
    }
  });

  test("a nested KvU64 is data, not a number to sum", async (t) => {
    const kv = await open(t);
    await kv.set(["k"], { n: 1n });
    await assert.rejects(kv.atomic().sum(["k"], 1n).commit(), { code: "TYPE_MISMATCH" });
  });

  for (const [name, call] of [
    ["set", (kv, key, value) => kv.set(key, value)],
    ["atomic().set", (kv, key, value) => kv.atomic().set(key, value)],
    ["mutate", (kv, key, value) => kv.atomic().mutate({ type: "set", key, value })],
  ]) {
    test(`${name} takes key and value when it is called`, async (t) => {
      const kv = await open(t);
      const values = [{ n: [1] }, Uint8Array.of(1), Buffer.from([1]), new Map([["a", 1]])];
      const expected = [{ n: [1] }, Uint8Array.of(1), Uint8Array.of(1), new Map([["a", 1]])];
      const key = ["k", Uint8Array.of(5)];
      for (const [i, value] of values.entries()) {
        const pending = call(kv, key, value);
        key[0] = "changed";
        key[1].fill(6);
        if (value instanceof Uint8Array) value.fill(6);
        else if (value instanceof Map) value.clear();
        else value.n.push(2);
        await (pending.commit?.() ?? pending);
        key[0] = "k";
        key[1].fill(5);
        assert.deepEqual((await kv.get(["k", Uint8Array.of(5)])).value, expected[i]);
        assert.equal((await contents(kv)).length, 1);
      }
    });
  }

  test("check, get, getMany and list take their keys when they are called", async (t) => {
    const kv = await open(t);
    await kv.set(["k"], 1);
    const key = ["k"];
    const keys = [key];
    const got = kv.get(key);
    const many = kv.getMany(keys);
    const listed = kv.list({ start: key, end: ["l"] });
    const check = kv.atomic().check({ key, versionstamp: null });
    key[0] = "z";
    keys.length = 0;
    for (const entry of [await got, (await many)[0], (await listed.next()).value]) {
      assert.deepEqual([entry.key, entry.value], [["k"], 1]);
    }
    assert.equal((await check.commit()).ok, false);
  });

  test("an entry that was found bears a key of its own", async (t) => {
    const kv = await open(t);
    const part = Uint8Array.of(1, 2);
    await kv.set([part, "a"], 1);
    const { key } = await kv.get([part, "a"]);
    part.fill(0);
    assert.deepEqual(key, [Uint8Array.of(1, 2), "a"]);
  });

  test("a value of 65 536 bytes fits, one more does not", async (t) => {
    const kv = await open(t);
    await kv.set(["k"], new Uint8Array(65_536).fill(1));
    assert.equal((await kv.get(["k"])).value.length, 65_536);
    await assert.rejects(kv.set(["k"], new Uint8Array(65_537)), { code: "LIMIT_EXCEEDED" });
    assert.equal((await kv.get(["k"])).value.length, 65_536);
  });

  test("what cannot be stored rejects and writes nothing", async (t) => {
    const kv = await open(t);
    for (const value of [() => {}, Symbol("s"), { f() {} }, new WeakMap(), Promise.resolve()]) {
      await assert.rejects(async () => kv.set(["k"], value), {
        name: "TypeError",
        code: "NOT_CLONEABLE",
      });
    }
    assert.deepEqual(await contents(kv), []);
  });
});
