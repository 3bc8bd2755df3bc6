// Handles: how they open, and what holds of one kind of store only. Files are made in a folder.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Kv, openKv } from "../../../index.mjs";
import { assert, refused } from "../counted.mjs";
import { collect, keysOf, valueOf } from "../lists.mjs";

/** Milliseconds in which a timer of 1 ms fires while a loop of reads runs. */
const TIMER_BOUND = 2_000;
/** Milliseconds in which 200 commits land beside a loop of reads. */
const COMMITS_BOUND = 20_000;

export async function opening(folder) {
  const memory = [new Kv(), new Kv(":memory:"), await openKv(), await openKv(":memory:")];
  for (const [i, kv] of memory.entries()) await kv.set(["a", i], 1);
  for (const kv of memory) assert.equal((await keysOf(kv, { prefix: [] })).length, 1);
  const same = { now: undefined, limits: undefined, debug: true, durability: "full" };
  assert.ok((await openKv(undefined, same)) instanceof Kv);

  await refused("TypeError", "UNSUPPORTED", () => openKv("https://example.org"));
  await refused("TypeError", "UNSUPPORTED", () => openKv(":memory:", { accessToken: "x" }));
  await refused("TypeError", "UNKNOWN_OPTION", () => new Kv(":memory:", { durabilty: "full" }));
  await refused("TypeError", "UNKNOWN_OPTION", () => openKv(":memory:", { limits: { keys: 1 } }));
  for (const wrong of [5, "", null, "a\0b"]) {
    await refused("TypeError", "INVALID_ARGUMENT", () => openKv(wrong));
  }
  for (const wrong of [{ now: 5 }, { durability: "half" }, { busyTimeoutMs: -1 }, 5]) {
    await refused("TypeError", "INVALID_ARGUMENT", () => openKv(":memory:", wrong));
  }
  await refused("KvError", "CANT_OPEN", () => openKv(join(folder, "no/such/folder.db")));
  const text = join(folder, "text");
  writeFileSync(text, "no database ".repeat(1000));
  await refused("KvError", "NOT_A_DATABASE", () => openKv(text));
}

export async function reopening(folder) {
  const file = join(folder, "reopened.db");
  const kv = new Kv(file, { durability: "normal", busyTimeoutMs: 20_000 });
  const { versionstamp } = await kv.set(["a"], 1);
  await kv[Symbol.asyncDispose]();
  const again = await openKv(file);
  assert.deepEqual(await again.get(["a"]), { key: ["a"], value: 1, versionstamp });
  assert.ok((await again.set(["a"], 2)).versionstamp > versionstamp);
  again.close();
}

export async function limits() {
  const kv = new Kv(":memory:", { limits: { valueBytes: Infinity, keysPerGetMany: 1 } });
  await kv.set(["large"], new Uint8Array(100_000));
  assert.equal((await valueOf(kv, ["large"])).length, 100_000);
  await refused("TypeError", "LIMIT_EXCEEDED", () => kv.getMany([["a"], ["b"]]));
}

export async function foreignCodec(folder) {
  const file = join(folder, "codec.db");
  const codec = {
    encodeV8: (value) => new TextEncoder().encode(JSON.stringify(value)),
    decodeV8: (bytes) => JSON.parse(new TextDecoder().decode(bytes)),
  };
  const kv = await openKv(file, codec);
  await kv.set(["b"], { json: true });
  assert.deepEqual(await valueOf(kv, ["b"]), { json: true });
  await kv[Symbol.asyncDispose]();

  // To our own codec they are bytes that do not decode, which must not hide their neighbours.
  const ours = await openKv(file);
  for (const key of ["a", "c"]) await ours.set([key], key);
  await refused("KvError", "CORRUPT_VALUE", () => ours.get(["b"]));
  const list = ours.list({ prefix: [] });
  assert.equal((await list.next()).value.value, "a");
  const error = await list.next().catch((reason) => reason);
  assert.deepEqual([error.code, error.key], ["CORRUPT_VALUE", ["b"]]);
  assert.deepEqual(await keysOf(ours, { prefix: [] }, { cursor: error.cursor }), [["c"]]);
  ours.close();
}

/** Two keys that always change together, through one handle, are alike in another's `getMany`. */
export async function snapshots(folder) {
  const file = join(folder, "snapshots.db");
  const [writer, reader] = [await openKv(file, { durability: "normal" }), await openKv(file)];
  const end = performance.now() + COMMITS_BOUND;
  let last = 0;
  let torn = 0;
  const writing = (async () => {
    for (let n = 1; n <= 200; n += 1) await writer.atomic().set(["a"], n).set(["b"], n).commit();
  })();
  while (last < 200 && performance.now() < end) {
    const [a, b] = await reader.getMany([["a"], ["b"]]);
    if (a.value !== b.value || a.versionstamp !== b.versionstamp) torn += 1;
    last = a.value;
  }
  assert.equal(last, 200);
  assert.equal(torn, 0);
  await writing;
  writer.close();
  reader.close();
}

export async function timers(folder) {
  const kv = await openKv(join(folder, "timers.db"));
  await kv.set(["a"], 1);
  const end = performance.now() + TIMER_BOUND;
  let fired = false;
  setTimeout(() => (fired = true), 1);
  while (!fired && performance.now() < end) await kv.get(["a"]);
  assert.ok(fired, "a loop of awaited gets lets a timer fire");
  kv.close();

  // In memory all settles before any timer, which fake timers rely on.
  const memory = new Kv();
  let turned = false;
  setTimeout(() => (turned = true), 0);
  await memory.set(["a"], 1);
  await memory.get(["a"]);
  await collect(memory.list({ prefix: [] }));
  assert.equal(turned, false);
}
