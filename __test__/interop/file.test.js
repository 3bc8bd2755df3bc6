"use strict";

// The file itself: the tables are Deno's to the letter, its expiry means the same to both, and what
// we do not know, its queue, stays as it is.

const assert = require("node:assert/strict");
const { describe, test } = require("node:test");
const { setTimeout } = require("node:timers/promises");
const { onFile, sqliteIsMissing } = require("../support/sqlite.js");
const { contents, openFile, temporaryFile } = require("../support/stores.js");
const { PEERS, Peer } = require("./peers.js");

const SCHEMA = `select type, name, tbl_name, sql from sqlite_schema
  where name not like 'fencekv%' and name not like 'sqlite%fencekv%' order by name`;

/** Milliseconds in which Deno should have removed what has expired. */
const SWEPT_BY_DENO = 30_000;

for (const [name, runtime] of Object.entries(PEERS)) {
  describe(name, { skip: runtime.skip || sqliteIsMissing }, () => {
    test("makes the same schema as we do, byte for byte", async (t) => {
      const [theirs, ours] = [temporaryFile(t), temporaryFile(t)];
      const peer = await Peer.open(t, runtime, theirs);
      await peer.ask("set", ["k"], 1);
      await peer.close();
      const kv = await openFile(t, ours);
      await kv.set(["k"], 1);
      const expected = await onFile(t, theirs, SCHEMA);
      assert.ok(expected.length >= 6);
      assert.deepEqual(await onFile(t, ours, SCHEMA), expected);
      const state = "select * from migration_state";
      assert.deepEqual(await onFile(t, ours, state), await onFile(t, theirs, state));
      const mode = "select (select journal_mode from pragma_journal_mode) as mode";
      assert.deepEqual(await onFile(t, ours, mode), await onFile(t, theirs, mode));
    });

    test("sets an entry that expires, and it does here, to the millisecond", async (t) => {
      const file = temporaryFile(t);
      const peer = await Peer.open(t, runtime, file);
      await peer.ask("set", ["k"], "value", { expireIn: 3_600_000 });
      const [{ at }] = await onFile(t, file, "select expiration_ms as at from kv");
      assert.ok(at > Date.now());
      const clock = { ms: at - 1 };
      const kv = await openFile(t, file, { now: () => clock.ms });
      assert.equal((await kv.get(["k"])).value, "value");
      clock.ms = at;
      assert.equal((await kv.get(["k"])).versionstamp, null);
      assert.deepEqual(await contents(kv), []);
      await kv.sweepExpired();
      assert.equal((await peer.ask("get", ["k"])).versionstamp, null);
    });

    test("removes what has expired here, and keeps what has not", async (t) => {
      const file = temporaryFile(t);
      const kv = await openFile(t, file);
      await kv.set(["gone"], 1, { expireIn: 1 });
      await kv.set(["stays"], 1, { expireIn: 3_600_000 });
      await kv.set(["for ever"], 1);
      const peer = await Peer.open(t, runtime, file);
      const end = performance.now() + SWEPT_BY_DENO;
      while ((await peer.ask("get", ["gone"])).versionstamp !== null) {
        assert.ok(performance.now() < end, `not gone after ${SWEPT_BY_DENO} ms`);
        await setTimeout(20);
      }
      assert.equal((await peer.ask("get", ["stays"])).value, 1);
      assert.equal((await peer.ask("get", ["for ever"])).value, 1);
    });

    test("has a queue in the file, whose rows we leave alone", async (t) => {
      const file = temporaryFile(t);
      const peer = await Peer.open(t, runtime, file);
      await peer.ask(
        "enqueue",
        { message: 1 },
        { delay: 3_600_000, keysIfUndelivered: [["undelivered"]] },
      );
      await peer.close();
      const queue = "select * from queue union all select * from queue_running";
      const before = await onFile(t, file, queue);
      assert.equal(before.length, 1);

      const kv = await openFile(t, file, { now: () => Number.MAX_SAFE_INTEGER });
      await kv.set(["k"], 1);
      await kv.sweepExpired();
      assert.equal((await contents(kv)).length, 1);
      await kv[Symbol.asyncDispose]();
      assert.deepEqual(await onFile(t, file, queue), before);
      assert.deepEqual(await onFile(t, file, "pragma integrity_check"), [
        { integrity_check: "ok" },
      ]);
    });

    test("has a file open that we migrate nothing in, and lists it as we do", async (t) => {
      const file = temporaryFile(t);
      const peer = await Peer.open(t, runtime, file);
      for (let i = 0; i < 5; i++) await peer.ask("set", ["k", i], i);
      const kv = await openFile(t, file);
      assert.deepEqual(
        (await contents(kv)).map(({ key, value }) => [...key, value]),
        [0, 1, 2, 3, 4].map((i) => ["k", i, i]),
      );
    });
  });
}
