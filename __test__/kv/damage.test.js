"use strict";

// A file that is damaged in the middle: what touches the damage rejects with CORRUPT, what does not
// works, and the process lives.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const { collect, contents, openFile, temporaryFile, wholeFile } = require("../support/stores.js");

const ENTRIES = 2000;
const PAGE = 4096;

/** A file of some 300 pages of which those in the middle are overwritten, and a handle on it. */
async function damaged(t, first, count) {
  const file = temporaryFile(t);
  const kv = await openFile(t, file);
  for (let start = 0; start < ENTRIES; start += 500) {
    const op = kv.atomic();
    for (let i = start; i < start + 500; i++) op.set(["k", i], valueOf(i));
    await op.commit();
  }
  await kv[Symbol.asyncDispose]();
  await wholeFile(file);
  assert.ok(fs.statSync(file).size > PAGE * (first + count));
  const handle = fs.openSync(file, "r+");
  fs.writeSync(handle, Buffer.alloc(PAGE * count, 0xaa), 0, PAGE * count, PAGE * first);
  fs.closeSync(handle);
  return { file, kv: await openFile(t, file) };
}

const valueOf = (i) => `${i} `.padEnd(500, "x");

/** What became of each, with "CORRUPT" in place of an error; any other error fails. */
async function outcomes(promises) {
  const settled = await Promise.allSettled(promises);
  return settled.map(({ value, reason }) => {
    if (reason !== undefined) assert.equal(reason.code, "CORRUPT");
    return reason?.code ?? value;
  });
}

test("reads are right or CORRUPT, and both happen", async (t) => {
  const { kv } = await damaged(t, 100, 20);
  const reads = await outcomes(Array.from({ length: ENTRIES }, (_, i) => kv.get(["k", i])));
  const corrupt = reads.filter((entry, i) => {
    if (entry !== "CORRUPT") assert.equal(entry.value, valueOf(i));
    return entry === "CORRUPT";
  });
  assert.ok(corrupt.length > 0 && corrupt.length < ENTRIES, `${corrupt.length} are corrupt`);
  await assert.rejects(contents(kv), { code: "CORRUPT" });
  await assert.rejects(collect(kv.list({ prefix: [] }, { reverse: true, batchSize: 1 })), {
    code: "CORRUPT",
  });
  assert.equal((await kv.get(["k", 0])).value, valueOf(0));
});

test("writes land or are CORRUPT, and leave nothing then", async (t) => {
  const { file, kv } = await damaged(t, 100, 20);
  const writes = await outcomes(
    Array.from({ length: ENTRIES }, (_, i) =>
      kv.atomic().set(["good", i], i).set(["k", i], "new").commit(),
    ),
  );
  const corrupt = writes.filter((result) => result === "CORRUPT").length;
  assert.ok(corrupt > 0 && corrupt < ENTRIES, `${corrupt} are corrupt`);
  await kv[Symbol.asyncDispose]();
  const again = await openFile(t, file);
  for (const [i, result] of writes.entries()) {
    const { value } = await again.get(["good", i]);
    assert.equal(value, result === "CORRUPT" ? null : i);
  }
});

test("a file cut short rejects, and a damaged head is no database", async (t) => {
  const cut = await damaged(t, 100, 1);
  await cut.kv[Symbol.asyncDispose]();
  await wholeFile(cut.file);
  fs.truncateSync(cut.file, PAGE * 100);
  const kv = await openFile(t, cut.file).catch((error) => error);
  if (kv.code === undefined) await assert.rejects(contents(kv), { code: "CORRUPT" });
  else assert.equal(kv.code, "CORRUPT");

  fs.writeFileSync(path.join(path.dirname(cut.file), "head.db"), Buffer.alloc(PAGE * 4, 0xaa));
  await assert.rejects(openFile(t, path.join(path.dirname(cut.file), "head.db")), {
    code: "NOT_A_DATABASE",
  });
});
