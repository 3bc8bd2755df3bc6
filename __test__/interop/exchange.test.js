"use strict";

// One file, two implementations: what real Deno, or @deno/kv, writes is read here as it was written,
// and the reverse. Each has a process of its own, since two copies of SQLite in one process drop
// each other's locks.

const assert = require("node:assert/strict");
const { describe, test } = require("node:test");
const fencekv = require("../../index.js");
const { openFile, temporaryFile } = require("../support/stores.js");
const { PEERS, Peer } = require("./peers.js");

/** Asserts that what is wrong is what the peer is known to alter, no more and no less. */
function assertOnly(wrong, known) {
  const others = wrong.filter(({ name }) => !known.includes(name));
  assert.deepEqual(others, []);
  assert.deepEqual(
    wrong.map(({ name }) => name),
    known,
  );
}

for (const [name, runtime] of Object.entries(PEERS)) {
  describe(name, { skip: runtime.skip }, () => {
    test("writes every key and value, and we read the same", async (t) => {
      const { compareAll } = await import("./exchange.mjs");
      const file = temporaryFile(t);
      const peer = await Peer.open(t, runtime, file);
      await peer.ask("write", "theirs");
      await peer.close();
      const kv = await openFile(t, file);
      assertOnly(await compareAll(kv, fencekv, "theirs"), runtime.alters.writing);
    });

    test("reads every key and value as we wrote them", async (t) => {
      const { writeAll } = await import("./exchange.mjs");
      const file = temporaryFile(t);
      const kv = await openFile(t, file);
      await writeAll(kv, fencekv, "ours");
      await kv[Symbol.asyncDispose]();
      const peer = await Peer.open(t, runtime, file);
      assertOnly(await peer.ask("compare", "ours"), runtime.alters.reading);
      await peer.close();
    });

    test("works on a file in turn with us, and versionstamps go on", async (t) => {
      const file = temporaryFile(t);
      const kv = await openFile(t, file);
      const stamps = [(await kv.set(["lease"], "us")).versionstamp];
      const peer = await Peer.open(t, runtime, file);
      for (let i = 0; i < 10; i++) {
        const taken = await peer.ask("takeOver", ["lease"], `them ${i}`);
        const stale = await kv
          .atomic()
          .check({ key: ["lease"], versionstamp: stamps.at(-1) })
          .delete(["lease"])
          .commit();
        assert.equal(stale.ok, false);
        assert.equal((await kv.get(["lease"])).value, `them ${i}`);

        const { versionstamp } = await kv.set(["lease"], `us ${i}`);
        const seen = await peer.ask("get", ["lease"]);
        assert.deepEqual([seen.value, seen.versionstamp], [`us ${i}`, versionstamp]);
        stamps.push(taken.versionstamp, versionstamp);
      }
      assert.deepEqual(stamps, stamps.toSorted());
      assert.equal(new Set(stamps).size, stamps.length);
    });

    test("adds to our sum, and we to its", async (t) => {
      const file = temporaryFile(t);
      const kv = await openFile(t, file);
      const peer = await Peer.open(t, runtime, file);
      await kv.atomic().sum(["n"], 1n).commit();
      await peer.ask("sum", ["n"], "10");
      await kv.atomic().sum(["n"], 100n).commit();
      assert.deepEqual((await kv.get(["n"])).value, new fencekv.KvU64(111n));
    });

    test("races with us for absent keys, and each key has one taker", async (t) => {
      const file = temporaryFile(t);
      const kv = await openFile(t, file);
      const peer = await Peer.open(t, runtime, file);
      for (let race = 0; race < 10; race++) {
        const keys = Array.from({ length: 10 }, (_, i) => ["race", race, i]);
        const take = (key) =>
          kv.atomic().check({ key, versionstamp: null }).set(key, "us").commit();
        const [theirs, results] = await Promise.all([
          peer.ask("race", keys, "them"),
          Promise.all(keys.toReversed().map(take)),
        ]);
        const ours = keys.toReversed().filter((_, i) => results[i].ok);
        const taken = [...theirs, ...ours].map(([, , key]) => key);
        assert.deepEqual(
          taken.sort((a, b) => a - b),
          keys.map((_, i) => i),
        );
        for (const key of ours) assert.equal((await kv.get(key)).value, "us");
        for (const key of theirs) assert.equal((await kv.get(key)).value, "them");
      }
    });
  });
}
