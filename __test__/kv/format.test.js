"use strict";

// The file is Deno's: files of its earlier formats are brought up to the third, as Deno does it;
// what a newer Deno or a newer fencekv has claimed is left alone.

const assert = require("node:assert/strict");
const { describe, test } = require("node:test");
const { Kv, KvU64, openKv } = require("../../index.js");
const { contents, openFile, temporaryFile, wholeFile } = require("../support/stores.js");
const { Sqlite, onFile, sqliteIsMissing } = require("../support/sqlite.js");

/** What Deno's first two formats are made by, and an entry as it stood in them. */
const FIRST = [
  "create table migration_state (k integer not null primary key, version integer not null)",
  "create table data_version (k integer primary key, version integer not null)",
  "insert into data_version (k, version) values (0, 41)",
  `create table kv (
    k blob primary key, v blob not null, v_encoding integer not null, version integer not null
  ) without rowid`,
  "insert into kv (k, v, v_encoding, version) values (x'026100', x'2A00000000000000', 2, 41)",
];
const SECOND = [
  `create table queue (
    ts integer not null, id text not null, data blob not null, backoff_schedule text not null,
    keys_if_undelivered blob not null, primary key (ts, id)
  )`,
  `create table queue_running (
    deadline integer not null, id text not null, data blob not null, backoff_schedule text not null,
    keys_if_undelivered blob not null, primary key (deadline, id)
  )`,
  "insert into queue values (1, 'id', x'00', 'null', x'00')",
];
const OLD = { 1: FIRST, 2: [...FIRST, ...SECOND] };

const STATE = "select version from migration_state where k = 0";
const COLUMNS = "select name, type, dflt_value, pk from pragma_table_info('kv') order by cid";

/** A file of ours with one entry, which nobody has open. */
async function ours(t) {
  const file = temporaryFile(t);
  const kv = await openFile(t, file);
  await kv.set(["a"], 1);
  await kv[Symbol.asyncDispose]();
  await wholeFile(file);
  return file;
}

describe("formats", { skip: sqliteIsMissing }, () => {
  for (const [version, statements] of Object.entries(OLD)) {
    test(`a file of migration_state ${version} is migrated and keeps what it holds`, async (t) => {
      const file = temporaryFile(t);
      const state = `insert into migration_state (k, version) values (0, ${version})`;
      await onFile(t, file, "pragma journal_mode = wal", ...statements, state);

      const kv = await openFile(t, file);
      const entry = await kv.get(["a"]);
      assert.deepEqual(entry.value, new KvU64(42n));
      assert.equal(entry.versionstamp, "00000000000000290000");
      const { versionstamp } = await kv.set(["b"], 1, { expireIn: 60_000 });
      assert.equal(versionstamp, "000000000000002a0000");
      await kv[Symbol.asyncDispose]();

      assert.deepEqual(await onFile(t, file, STATE), [{ version: 3 }]);
      const fresh = await ours(t);
      assert.deepEqual(await onFile(t, file, COLUMNS), await onFile(t, fresh, COLUMNS));
      if (version === "2") {
        assert.deepEqual(await onFile(t, file, "select id from queue"), [{ id: "id" }]);
      }
    });
  }

  test("two handles migrate one file at once", async (t) => {
    const file = temporaryFile(t);
    await onFile(t, file, ...OLD[1], "insert into migration_state (k, version) values (0, 1)");
    const [a, b] = await Promise.all([openFile(t, file), openFile(t, file)]);
    assert.deepEqual(await contents(a), await contents(b));
  });

  test("migration_state 4 is refused with UNSUPPORTED_FORMAT, and left as it is", async (t) => {
    const file = await ours(t);
    await onFile(t, file, "update migration_state set version = 4");
    await assert.rejects(openKv(file), { name: "KvError", code: "UNSUPPORTED_FORMAT" });
    const kv = new Kv(file);
    t.after(() => kv.close());
    for (const run of [
      () => kv.get(["a"]),
      () => kv.set(["a"], 2),
      () => kv.list({ prefix: [] }).next(),
    ]) {
      await assert.rejects(run, { code: "UNSUPPORTED_FORMAT" });
    }
    assert.deepEqual(await onFile(t, file, STATE), [{ version: 4 }]);
  });

  test("a newer fencekv_format can be read and not written", async (t) => {
    const file = await ours(t);
    await onFile(t, file, "update fencekv_format set version = version + 1");
    const kv = await openFile(t, file);
    assert.equal((await kv.get(["a"])).value, 1);
    for (const run of [() => kv.set(["a"], 2), () => kv.delete(["a"]), () => kv.sweepExpired()]) {
      await assert.rejects(run, { name: "KvError", code: "UNSUPPORTED_FORMAT" });
    }
    assert.equal((await contents(kv))[0].value, 1);
  });

  test("one that is raised under an open handle bars its next commit", async (t) => {
    const file = temporaryFile(t);
    const kv = await openFile(t, file);
    await kv.set(["a"], 1);
    const stranger = new Sqlite(t, file);
    await stranger.run("update fencekv_format set version = version + 1");
    await assert.rejects(kv.set(["a"], 2), { code: "UNSUPPORTED_FORMAT" });
    await stranger.run("update fencekv_format set version = version - 1");
    await kv.set(["a"], 3);
    assert.equal((await kv.get(["a"])).value, 3);
  });

  test("a table kv that no Deno made is refused and left alone", async (t) => {
    const file = temporaryFile(t);
    await onFile(t, file, "create table kv (id integer)", "insert into kv values (1)");
    await assert.rejects(openKv(file), { code: "UNSUPPORTED_FORMAT" });
    assert.deepEqual(await onFile(t, file, "select * from kv"), [{ id: 1 }]);
    assert.deepEqual(await onFile(t, file, "select name from sqlite_schema"), [{ name: "kv" }]);
  });

  test("tables of others in the same file are left alone", async (t) => {
    const file = temporaryFile(t);
    await onFile(t, file, "create table mine (id integer)", "insert into mine values (1)");
    const kv = await openFile(t, file);
    await kv.set(["a"], 1);
    assert.deepEqual(await onFile(t, file, "select * from mine"), [{ id: 1 }]);
  });

  test("the version counter at its end refuses commits, and reads go on", async (t) => {
    const file = await ours(t);
    await onFile(t, file, "update data_version set version = 9223372036854775806");
    const kv = await openFile(t, file);
    assert.equal((await kv.set(["last"], 1)).versionstamp, "7fffffffffffffff0000");
    await assert.rejects(kv.set(["more"], 1), { name: "KvError" });
    assert.equal((await kv.get(["last"])).value, 1);
    assert.equal((await contents(kv)).length, 2);
  });
});
