"use strict";

// Another process holds the file's write lock: commits wait for it within their budget and land, or
// reject with BUSY past it and leave nothing.

const assert = require("node:assert/strict");
const { describe, test } = require("node:test");
const { setTimeout } = require("node:timers/promises");
const { contents, openFile, temporaryFile } = require("../support/stores.js");
const { Sqlite, sqliteIsMissing } = require("../support/sqlite.js");

/** Milliseconds. */
const SHORT = 100;
const LONG = 3000;

/** A handle on a file whose lock a stranger holds, and what lets go of it. */
async function locked(t, options) {
  const file = temporaryFile(t);
  const kv = await openFile(t, file, options);
  await kv.set(["k"], "before");
  const stranger = new Sqlite(t, file);
  await stranger.run("begin immediate");
  await stranger.run("insert into kv (k, v, v_encoding, version) values (x'026100', x'01', 3, 7)");
  return { file, kv, stranger };
}

describe("while a stranger holds the write lock", { skip: sqliteIsMissing }, () => {
  test("a commit waits, and lands when the lock is free", async (t) => {
    const { kv, stranger } = await locked(t);
    let landed = false;
    const commits = ["a", "b", "c"].map((value) =>
      kv.set(["k"], value).then((result) => {
        landed = true;
        return result;
      }),
    );
    const waits = kv.get(["k"]);
    // The stranger's answer comes from another process, long after the commits met its lock.
    await stranger.run("select count(*) from kv");
    assert.equal(landed, false);
    await stranger.run("commit");
    for (const { ok } of await Promise.all(commits)) assert.equal(ok, true);
    assert.equal((await waits).value, "c");
    assert.equal((await contents(kv)).length, 2);
  });

  test(`${LONG} ms long, the commits made meanwhile wait and land in their order`, async (t) => {
    const { kv, stranger } = await locked(t);
    const commits = Array.from({ length: 50 }, (_, i) => i);
    const landed = [];
    const pending = [];
    for (const i of commits) {
      pending.push(kv.set(["k", i], i).then(() => landed.push(i)));
      await setTimeout(LONG / commits.length);
    }
    assert.deepEqual(landed, []);
    await stranger.run("commit");
    await Promise.all(pending);
    assert.deepEqual(landed, commits);
    const held = await contents(kv);
    assert.deepEqual(
      held.filter(({ key }) => key.length === 2).map(({ value }) => value),
      commits,
    );
  });

  test("reads of other keys do not wait, and do not see what the stranger has not committed", async (t) => {
    const { kv, stranger } = await locked(t);
    const pending = kv.set(["other"], 1);
    assert.equal((await kv.get(["k"])).value, "before");
    assert.equal((await kv.getMany([["k"], ["a"]]))[1].versionstamp, null);
    assert.equal((await kv.list({ start: ["a"], end: ["l"] }).next()).value.value, "before");
    await stranger.run("rollback");
    await pending;
  });

  test("past its budget a commit rejects with BUSY, and nothing of it is written", async (t) => {
    const { kv, stranger } = await locked(t, { busyTimeoutMs: SHORT });
    await assert.rejects(kv.atomic().set(["k"], "after").set(["x"], 1).commit(), (error) => {
      assert.equal(error.name, "KvError");
      assert.equal(error.code, "BUSY");
      assert.ok(error.waitedMs >= SHORT);
      return true;
    });
    await assert.rejects(kv.sweepExpired(), { code: "BUSY" });
    await stranger.run("rollback");
    const [only, ...others] = await contents(kv);
    assert.equal(only.value, "before");
    assert.deepEqual(others, []);
    assert.equal((await kv.set(["k"], "after")).ok, true);
  });

  test("commits of one tick share one budget", async (t) => {
    const { kv } = await locked(t, { busyTimeoutMs: SHORT });
    const began = performance.now();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, (_, i) => kv.set(["k", i], i)),
    );
    for (const { reason } of outcomes) assert.equal(reason?.code, "BUSY");
    assert.ok(performance.now() - began < 10 * SHORT, "each waited by itself");
  });

  test("with a budget of 0 it rejects at once", async (t) => {
    const { kv } = await locked(t, { busyTimeoutMs: 0 });
    await assert.rejects(kv.set(["k"], 1), { code: "BUSY" });
  });

  test("another handle opens, reads, and waits for its first commit", async (t) => {
    const { file, stranger } = await locked(t);
    const kv = await openFile(t, file);
    assert.equal((await kv.get(["k"])).value, "before");
    const pending = kv.set(["k"], "after");
    await stranger.run("rollback");
    assert.equal((await pending).ok, true);
  });

  test("a file that is locked before it is a store is waited for, or BUSY", async (t) => {
    const file = temporaryFile(t);
    const stranger = new Sqlite(t, file);
    await stranger.run("begin exclusive");
    await assert.rejects(openFile(t, file, { busyTimeoutMs: SHORT }), { code: "BUSY" });
    const opening = openFile(t, file);
    await stranger.run("rollback");
    assert.equal((await (await opening).set(["k"], 1)).ok, true);
  });

  test("close lets a commit wait for its lock, and settle", async (t) => {
    const { kv, stranger } = await locked(t);
    const pending = kv.set(["k"], "after");
    kv.close();
    await stranger.run("rollback");
    assert.equal((await pending).ok, true);
  });
});
