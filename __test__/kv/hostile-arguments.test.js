"use strict";

// Calls that once cost more than their size, hung, or came back without a code.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { test } = require("node:test");
const { setImmediate } = require("node:timers/promises");
const { Kv, openKv } = require("../../index.js");

// Far above what a refusal takes, far below what walking 2^32 places takes (ms).
const BOUND = 5000;

async function refusedSoon(call, code) {
  const begun = performance.now();
  await assert.rejects(call, { code });
  assert.ok(performance.now() - begun < BOUND, "it took too long");
}

test("a key of 2^32 - 1 empty places is refused before it is walked", async () => {
  const kv = new Kv();
  const endless = new Array(2 ** 32 - 1);
  await refusedSoon(() => kv.get(endless), "INVALID_KEY");
  await refusedSoon(() => kv.set(endless, 1), "INVALID_KEY");
  await refusedSoon(() => kv.delete(endless), "INVALID_KEY");
  await refusedSoon(() => kv.getMany(endless), "LIMIT_EXCEEDED");
});

test("a wrong value that does not want to be text is named all the same", async () => {
  const kv = new Kv();
  const mute = Object.create(null);
  await refusedSoon(() => kv.set(["k"], 1, { expireIn: mute }), "INVALID_EXPIRY");
  assert.throws(() => kv.list({ prefix: [] }, { limit: mute }), { code: "INVALID_ARGUMENT" });
  const clockless = new Kv(":memory:", { now: () => mute });
  await refusedSoon(() => clockless.get(["k"]), "INVALID_ARGUMENT");
});

test("expireIn is read once", async () => {
  const kv = new Kv(":memory:", { now: () => 0 });
  const answers = [5000, "x", -5, NaN];
  const options = {
    get expireIn() {
      return answers.shift();
    },
  };
  await kv.atomic().set(["k"], 1, options).commit();
  assert.equal(answers.length, 3);
  assert.equal((await kv.get(["k"])).value, 1);
});

test("a limit on the batch is the default of a list", async () => {
  const kv = new Kv(":memory:", { limits: { batchSize: 2 } });
  for (let i = 0; i < 5; i += 1) await kv.set(["k", i], i);
  const values = [];
  for await (const { value } of kv.list({ prefix: ["k"] })) values.push(value);
  assert.deepEqual(values, [0, 1, 2, 3, 4]);
  const none = new Kv(":memory:", { limits: { batchSize: 0 } });
  await refusedSoon(() => none.list({ prefix: [] }).next(), "LIMIT_EXCEEDED");
});

test("an encoder of the caller's is not trusted with the bytes", async () => {
  const shared = new Uint8Array(1);
  const encodeV8 = (value) => (value === "none" ? undefined : shared.fill(value));
  const decodeV8 = (bytes) => bytes[0];
  const kv = new Kv(":memory:", { encodeV8, decodeV8 });
  await kv.atomic().set(["a"], 1).set(["b"], 2).commit();
  assert.equal((await kv.get(["a"])).value, 1);
  assert.equal((await kv.get(["b"])).value, 2);
  await refusedSoon(() => kv.set(["c"], "none"), "INVALID_ARGUMENT");
});

test("a closed handle leaves nothing open, also when a long read was under way", async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "fencekv-"));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  const kv = await openKv(path.join(folder, "kv.db"));
  for (let i = 0; i < 40; i += 1) await kv.set(["k", i], new Uint8Array(60_000));
  const page = kv.list({ prefix: [] }).next();
  await kv[Symbol.asyncDispose]();
  assert.equal((await page).done, false);
  assert.deepEqual(fs.readdirSync(folder), ["kv.db"]);
});

test("an open that fails leaves no thread behind", { skip: noThreadCount() }, async () => {
  const threads = () => fs.readdirSync("/proc/self/task").length;
  const before = threads();
  for (let i = 0; i < 20; i += 1) {
    await refusedSoon(() => openKv("/missing/folder/kv.db"), "CANT_OPEN");
  }
  // The last of them may still be on its way out; without the close there were twenty.
  const begun = performance.now();
  while (threads() > before && performance.now() - begun < BOUND) await setImmediate();
  assert.ok(threads() <= before, `${threads() - before} threads more`);
});

function noThreadCount() {
  return !fs.existsSync("/proc/self/task") && "the system does not list a process's threads";
}
