// Keys and values, on an empty store of either kind.

import { Buffer } from "node:buffer";
import * as fencekv from "../../../index.mjs";
import { compareAll, writeAll } from "../../interop/exchange.mjs";
import { assert, refused } from "../counted.mjs";
import { collect, keysOf, valueOf } from "../lists.mjs";

const { KvU64 } = fencekv;

const MAX_U64 = 2n ** 64n - 1n;

export async function keys(kv) {
  await kv.set(["view", new DataView(Uint8Array.of(1, 2, 3).buffer, 1)], "view");
  const [view] = await collect(kv.list({ prefix: ["view"] }));
  assert.deepEqual(view.key, ["view", Uint8Array.of(2, 3)]);

  // Two strings with lone surrogates would be one key, were they taken.
  const ill = [["\ud800"], ["a", "x\udc00"], ["\udc00\ud800"]];
  const wrong = [[], [null], [undefined], [{}], ["a", Symbol()], [2n ** 2040n], "text", null];
  for (const key of [...ill, ...wrong]) {
    const name = "TypeError";
    await refused(name, "INVALID_KEY", () => kv.get(key));
    await refused(name, "INVALID_KEY", () => kv.getMany([["fine"], key]));
    await refused(name, "INVALID_KEY", () => kv.set(key, 1));
    await refused(name, "INVALID_KEY", () => kv.delete(key));
    await refused(name, "INVALID_KEY", () => kv.atomic().sum(key, 1n).commit());
    await refused(name, "INVALID_KEY", () =>
      kv.atomic().check({ key, versionstamp: null }).set(["fine"], 1).commit(),
    );
  }
  for (const key of ill) {
    await refused("TypeError", "INVALID_KEY", () => kv.list({ prefix: key }).next());
    await refused("TypeError", "INVALID_KEY", () => kv.list({ start: key, end: ["z"] }).next());
  }
  await refused("TypeError", "LIMIT_EXCEEDED", () => kv.set(["x".repeat(2048)], 1));
  assert.deepEqual(await keysOf(kv, { prefix: [] }), [view.key]);
}

export async function values(kv) {
  await writeAll(kv, fencekv, "own");
  assert.deepEqual(await compareAll(kv, fencekv, "own"), []);

  const whole = Buffer.from("secret and value");
  await kv.set(["buffer"], { part: whole.subarray(11) });
  const { part } = await valueOf(kv, ["buffer"]);
  assert.equal(Object.getPrototypeOf(part), Uint8Array.prototype);
  assert.deepEqual([...new Uint8Array(part.buffer)], [...Buffer.from("value")]);

  await kv.set(["bytes"], whole);
  const bytes = await valueOf(kv, ["bytes"]);
  assert.equal(Object.getPrototypeOf(bytes), Uint8Array.prototype);
  assert.equal(bytes.buffer.byteLength, whole.length);
  bytes.fill(0);
  assert.deepEqual(await valueOf(kv, ["bytes"]), new Uint8Array(whole));

  const changing = { n: 1 };
  const set = kv.set(["taken"], changing);
  changing.n = 2;
  await set;
  assert.deepEqual(await valueOf(kv, ["taken"]), { n: 1 });

  await kv.set(["proto"], JSON.parse('{"__proto__": {"polluted": true}}'));
  const proto = await valueOf(kv, ["proto"]);
  assert.equal(Object.getPrototypeOf(proto), Object.prototype);
  assert.deepEqual(Object.keys(proto), ["__proto__"]);

  await kv.set(["error"], new RangeError("far", { cause: [1] }));
  const error = await valueOf(kv, ["error"]);
  assert.ok(error instanceof RangeError);
  assert.deepEqual([error.message, error.cause], ["far", [1]]);
  assert.equal(typeof error.stack, "string");

  await kv.set(
    ["class"],
    new (class Point {
      x = 1;
    })(),
  );
  assert.deepEqual(await valueOf(kv, ["class"]), { x: 1 });

  const nested = {
    get inner() {
      kv.set(["inner"], { deep: [1] });
      return 2;
    },
  };
  await kv.set(["outer"], nested);
  assert.deepEqual(await valueOf(kv, ["outer"]), { inner: 2 });
  assert.deepEqual(await valueOf(kv, ["inner"]), { deep: [1] });

  const uncloneable = [() => {}, Symbol(), Promise.resolve(), new WeakMap(), new WeakSet()];
  const platform = [new URL("https://deno.land"), new Headers(), new Response("x")];
  const hidden = [{ a: [() => {}] }, new Map([[Symbol(), 1]]), new Proxy({}, {})];
  const others = [new SharedArrayBuffer(1), new Uint8Array(new SharedArrayBuffer(1))];
  for (const value of [...uncloneable, ...platform, ...hidden, ...others]) {
    await refused("TypeError", "NOT_CLONEABLE", () => kv.set(["never"], value));
  }
  let deep = {};
  for (let depth = 0; depth < 1001; depth += 1) deep = { deep };
  await refused("RangeError", "NESTING_TOO_DEEP", () => kv.set(["never"], deep));
  await refused("TypeError", "LIMIT_EXCEEDED", () => kv.set(["never"], new Uint8Array(65_537)));
  assert.equal((await kv.get(["never"])).versionstamp, null);
}

export async function u64s(kv) {
  assert.equal(new KvU64(5n).value, 5n);
  assert.ok(Object.isFrozen(new KvU64(5n)));
  await refused("TypeError", "INVALID_ARGUMENT", () => new KvU64(5));
  await refused("RangeError", "INVALID_ARGUMENT", () => new KvU64(-1n));
  await refused("RangeError", "INVALID_ARGUMENT", () => new KvU64(MAX_U64 + 1n));

  const add = (n) => kv.atomic().sum(["n"], n).commit();
  for (const n of [1n, MAX_U64 - 1n]) assert.equal((await add(n)).ok, true);
  assert.ok((await valueOf(kv, ["n"])) instanceof KvU64);
  assert.equal((await valueOf(kv, ["n"])).value, MAX_U64);
  await add(3n);
  assert.equal((await valueOf(kv, ["n"])).value, 2n, "wraps at 2^64");
  await kv.atomic().max(["n"], 9n).min(["n"], 7n).min(["absent"], 4n).commit();
  assert.equal((await valueOf(kv, ["n"])).value, 7n);
  assert.equal((await valueOf(kv, ["absent"])).value, 4n);
  await refused("TypeError", "INVALID_ARGUMENT", () => kv.atomic().sum(["n"], 1));
  await refused("RangeError", "INVALID_ARGUMENT", () => kv.atomic().max(["n"], -1n));

  await kv.set(["text"], "7");
  const half = kv.atomic().set(["n"], "changed").sum(["text"], 1n).set(["after"], 1);
  await refused("TypeError", "TYPE_MISMATCH", () => half.commit());
  assert.equal((await valueOf(kv, ["n"])).value, 7n, "nothing of a failed commit is there");
  assert.equal(await valueOf(kv, ["after"]), null);
}
