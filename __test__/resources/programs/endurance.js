"use strict";

// Reads, and commits that are refused, on the store of its first argument: how many of each are the
// second and third. To be run with --expose-gc. Its line is by how many bytes the process's memory
// grew meanwhile, after WARM_UP operations.

const assert = require("node:assert/strict");
const { Kv, KvU64 } = require("../../../index.js");

const KEYS = 1000;

/** Reads; and a tenth of that in refused commits. */
const WARM_UP = 100_000;

/** Each way for a commit to be refused. */
const REFUSED = [
  (kv, i) => {
    const check = { key: ["k", i % KEYS], versionstamp: null };
    return kv
      .atomic()
      .check(check)
      .set(["k", 0], i)
      .commit()
      .then(({ ok }) => assert.equal(ok, false));
  },
  (kv, i) => rejects(kv.atomic().set(["k", 0], i).sum(["text"], 1n).commit(), "TYPE_MISMATCH"),
  (kv) => rejects(kv.set(["k", 0], new Uint8Array(65_537)), "LIMIT_EXCEEDED"),
  (kv) => rejects(kv.set(["k", "x".repeat(3000)], 0), "LIMIT_EXCEEDED"),
  (kv) =>
    rejects(
      kv.set(["k", 0], () => {}),
      "NOT_CLONEABLE",
    ),
];

function rejects(promise, code) {
  return promise.then(
    () => assert.fail(`${code} was expected`),
    (error) => assert.equal(error.code, code),
  );
}

async function work(kv, gets, refusals) {
  for (let i = 0; i < gets; i++) {
    const { value } = await kv.get(["k", i % KEYS]);
    assert.equal(value.i, i % KEYS);
  }
  for (let i = 0; i < refusals; i++) await REFUSED[i % REFUSED.length](kv, i);
}

function residentBytes() {
  global.gc();
  return process.memoryUsage.rss();
}

async function main(path, gets, refusals) {
  const kv = new Kv(path);
  for (let i = 0; i < KEYS; i++) await kv.set(["k", i], { i, text: `number ${i}` });
  await kv.set(["n"], new KvU64(1n));
  await kv.set(["text"], "text");

  await work(kv, WARM_UP, WARM_UP / 10);
  const before = residentBytes();
  await work(kv, gets, refusals);
  process.stdout.write(`${residentBytes() - before}\n`);
  kv.close();
}

const [path, ...counts] = process.argv.slice(2);
main(path, ...counts.map(Number));
