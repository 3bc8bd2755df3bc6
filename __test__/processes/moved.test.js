"use strict";

// The file goes away under an open handle. SQLite itself would go on acknowledging commits into a
// file that nobody finds any more; here each of them rejects, and the path can be opened anew. What
// SQLite would leave there is the old file's log, which the next to open the path would write over
// whatever file stands there then.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { describe, test } = require("node:test");
const { onFile, sqliteIsMissing } = require("../support/sqlite.js");
const { contents, openFile, temporaryFolder, wholeFile } = require("../support/stores.js");

/** Enough to fill several pages of a file. */
const ENTRIES = 300;

/** What is done to the file, and which values the path holds when it is opened anew. */
const DEEDS = {
  "its folder is removed": {
    do: async (_t, file) => fs.rmSync(path.dirname(file), { recursive: true }),
    then: [],
  },
  "the file is removed": {
    do: async (_t, file) => fs.rmSync(file),
    then: [],
  },
  "another file is moved over it": {
    async do(t, file) {
      const other = path.join(temporaryFolder(t), "other.db");
      const kv = await openFile(t, other);
      await fill(kv, "other");
      await kv[Symbol.asyncDispose]();
      await wholeFile(other);
      fs.renameSync(other, file);
    },
    then: ["other"],
  },
  "it is moved away": {
    do: async (_t, file) => fs.renameSync(file, `${file}.moved`),
    then: [],
  },
};

/** Writes the same value to many keys, in one commit. */
async function fill(kv, value) {
  const op = kv.atomic();
  for (let i = 0; i < ENTRIES; i++) op.set(["k", i], value);
  await op.commit();
}

/** A handle on a file whose entries are in its log. */
async function opened(t) {
  const folder = path.join(temporaryFolder(t), "data");
  fs.mkdirSync(folder);
  const file = path.join(folder, "app.db");
  const kv = await openFile(t, file);
  await fill(kv, "before");
  return { file, kv };
}

/** Every way to write. */
const writes = (kv) => [
  kv.set(["k", 0], "after"),
  kv.delete(["k", 0]),
  kv.atomic().set(["a"], 1).set(["b"], 2).commit(),
  kv
    .atomic()
    .check({ key: ["absent"], versionstamp: null })
    .sum(["n"], 1n)
    .commit(),
];

/** Whatever a read answers, it answers: what was there, or with a code. */
async function assertReads(kv) {
  const reads = [kv.get(["k", 0]), kv.getMany([["k", 0], ["absent"]]), contents(kv)];
  for (const { status, value, reason } of await Promise.allSettled(reads)) {
    if (status === "rejected") assert.equal(reason.name, "KvError");
    else assert.equal([value].flat()[0].value, "before");
  }
}

for (const [name, deed] of Object.entries(DEEDS)) {
  describe(`when ${name}`, () => {
    test("every later commit rejects with FILE_MOVED, and reads go on", async (t) => {
      const { file, kv } = await opened(t);
      await assertReads(kv);
      await deed.do(t, file);
      for (let again = 0; again < 3; again++) {
        for (const write of writes(kv)) await assert.rejects(write, { code: "FILE_MOVED" });
        const together = await Promise.allSettled(writes(kv));
        assert.deepEqual(
          together.map(({ reason }) => reason?.code),
          together.map(() => "FILE_MOVED"),
        );
        await assertReads(kv);
      }
      await kv[Symbol.asyncDispose]();
      await assert.rejects(kv.set(["k"], "closed"), { code: "CLOSED" });
    });

    for (const [when, write] of Object.entries({
      "after a commit was refused": (kv) => {
        return assert.rejects(kv.set(["k", 0], "after"), { code: "FILE_MOVED" });
      },
      "when nothing was asked any more": () => {},
    })) {
      test(
        `the path can be opened anew, with nothing of the old file, ${when}`,
        { skip: sqliteIsMissing },
        async (t) => {
          const { file, kv } = await opened(t);
          await deed.do(t, file);
          await write(kv);
          await kv[Symbol.asyncDispose]();

          fs.mkdirSync(path.dirname(file), { recursive: true });
          const anew = await openFile(t, file);
          const values = async () => [...new Set((await contents(anew)).map(({ value }) => value))];
          assert.deepEqual(await values(), deed.then);
          await anew.set(["z"], "anew");
          assert.deepEqual(await values(), [...deed.then, "anew"]);
          await anew[Symbol.asyncDispose]();
          const [judgement] = await onFile(t, file, "pragma integrity_check");
          assert.deepEqual(judgement, { integrity_check: "ok" });
        },
      );
    }
  });
}

test("what was committed before the file was moved is found where it is", async (t) => {
  const { file, kv } = await opened(t);
  const elsewhere = path.join(path.dirname(file), "elsewhere.db");
  for (const suffix of ["", "-wal", "-shm"]) fs.renameSync(`${file}${suffix}`, elsewhere + suffix);
  await assert.rejects(kv.set(["k", 0], "after"), { code: "FILE_MOVED" });
  await kv[Symbol.asyncDispose]();
  const there = await openFile(t, elsewhere);
  assert.equal((await there.get(["k", 0])).value, "before");
});
