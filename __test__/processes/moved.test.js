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

/** For the option `skip` of a test: why the file stays where it is, or false. */
const neverMoves = process.platform === "win32" && "Windows moves no open file";

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

const WRITES = [
  (kv) => kv.set(["k", 0], "after"),
  (kv) => kv.delete(["k", 0]),
  (kv) => kv.atomic().set(["a"], 1).set(["b"], 2).commit(),
  (kv) => {
    const check = { key: ["absent"], versionstamp: null };
    return kv.atomic().check(check).sum(["n"], 1n).commit();
  },
];

/** What each gives is entries. */
const READS = [
  async (kv) => [await kv.get(["k", 0])],
  (kv) =>
    kv.getMany([
      ["k", 0],
      ["k", 1],
    ]),
  contents,
];

/** Does each, one after another and all at once, and asserts that every one rejects. */
async function assertMoved(kv, calls) {
  for (const call of calls) await assert.rejects(call(kv), { code: "FILE_MOVED" });
  const together = await Promise.allSettled(calls.map((call) => call(kv)));
  assert.deepEqual(
    together.map(({ reason }) => reason?.code),
    together.map(() => "FILE_MOVED"),
  );
}

/** Asserts that all is read that was there before the deed. */
async function assertReads(kv) {
  const found = await Promise.all(READS.map((read) => read(kv)));
  assert.deepEqual(
    found.map((entries) => entries.map(({ value }) => value)),
    [1, 2, ENTRIES].map((count) => new Array(count).fill("before")),
  );
}

for (const [name, deed] of Object.entries(DEEDS)) {
  describe(`when ${name}`, { skip: neverMoves }, () => {
    test("every later commit rejects with FILE_MOVED, and from then on every read", async (t) => {
      const { file, kv } = await opened(t);
      await assertReads(kv);
      await deed.do(t, file);
      await assertReads(kv);
      for (let again = 0; again < 3; again++) {
        await assertMoved(kv, WRITES);
        await assertMoved(kv, READS);
      }
      await kv[Symbol.asyncDispose]();
      await assert.rejects(kv.set(["k"], "closed"), { code: "CLOSED" });
    });

    test("reads reject with FILE_MOVED where none came before", async (t) => {
      const { file, kv } = await opened(t);
      await deed.do(t, file);
      await assertMoved(kv, READS);
    });

    for (const [when, write] of Object.entries({
      "after a commit was refused": (kv) => {
        return assert.rejects(kv.set(["k", 0], "after"), { code: "FILE_MOVED" });
      },
      "when nothing was asked any more": () => {},
      "when the handle is closed without waiting": (kv) => kv.close(),
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

test(
  "what was committed before the file was moved is found where it is",
  { skip: neverMoves },
  async (t) => {
    const { file, kv } = await opened(t);
    const elsewhere = path.join(path.dirname(file), "elsewhere.db");
    for (const suffix of ["", "-wal", "-shm"])
      fs.renameSync(`${file}${suffix}`, elsewhere + suffix);
    await assert.rejects(kv.set(["k", 0], "after"), { code: "FILE_MOVED" });
    await kv[Symbol.asyncDispose]();
    const there = await openFile(t, elsewhere);
    assert.equal((await there.get(["k", 0])).value, "before");
  },
);
