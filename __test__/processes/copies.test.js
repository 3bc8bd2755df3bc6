"use strict";

// Two copies of SQLite in one process on one file: whichever closes it drops the locks of both, since
// a POSIX lock belongs to the process. So the second is refused before it touches the file.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { describe, test } = require("node:test");
const { openKv } = require("../../index.js");
const { denoIsMissing, runDeno } = require("../support/deno.js");
const { locksOn, procIsMissing } = require("../support/proc.js");
const { startWorker, succeed } = require("../support/programs.js");
const { rounds } = require("../support/seed.js");
const { contents, openFile, temporaryFile, temporaryFolder } = require("../support/stores.js");

const ROOT = path.resolve(__dirname, "../..");
const USER = path.join(__dirname, "programs/user.js");
const STRANGERS = path.join(__dirname, "programs/strangers.mjs");

/** How often two copies meet. */
const MEETINGS = 50;

/** @returns {string} a copy of the package, which loads a native part and so an SQLite of its own */
function copyOfPackage(t) {
  const copy = temporaryFolder(t);
  for (const name of fs.readdirSync(ROOT)) {
    if (/^(index\.js|js|package\.json|fencekv\..*\.node)$/.test(name)) {
      fs.cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true });
    }
  }
  return copy;
}

/** The locks of this process on a store. */
function locks(file) {
  return [...locksOn(file), ...locksOn(`${file}-shm`)];
}

/** A file that this process has open by the package itself, and another copy of the package. */
async function opened(t) {
  const file = temporaryFile(t);
  const kv = await openFile(t, file);
  await kv.set(["k"], 0);
  return { file, kv, copy: copyOfPackage(t) };
}

describe("copies of SQLite in one process", { skip: procIsMissing }, () => {
  test("a second copy of the package is refused while the first has the file open", async (t) => {
    const { file, kv, copy } = await opened(t);
    const other = require(copy);
    await assert.rejects(other.openKv(file), { name: "KvError", code: "FILE_IN_USE" });
    const lazy = new other.Kv(file);
    for (const call of [() => lazy.get(["k"]), () => lazy.set(["k"], 1)]) {
      await assert.rejects(call(), { code: "FILE_IN_USE" });
    }

    // By another name it is the same file.
    const link = path.join(path.dirname(file), "link.db");
    fs.symlinkSync(file, link);
    await assert.rejects(other.openKv(link), { code: "FILE_IN_USE" });

    const second = await openFile(t, file);
    await kv[Symbol.asyncDispose]();
    await assert.rejects(other.openKv(file), { code: "FILE_IN_USE" });
    await second[Symbol.asyncDispose]();
    assert.equal((await lazy.set(["k"], "taken")).ok, true);
    await assert.rejects(openFile(t, file), { code: "FILE_IN_USE" });
    await lazy[Symbol.asyncDispose]();
    assert.equal((await (await openFile(t, file)).get(["k"])).value, "taken");
  });

  test("the first keeps its locks and goes on", async (t) => {
    const { file, kv, copy } = await opened(t);
    const other = require(copy);
    const before = locks(file);
    assert.ok(before.length > 0);
    for (let i = 1; i <= 10; i++) {
      await assert.rejects(other.openKv(file), { code: "FILE_IN_USE" });
      assert.deepEqual(locks(file), before);
      await kv.set(["k"], i);
      assert.equal((await kv.get(["k"])).value, i);
    }
  });

  for (const [kind, prepare] of Object.entries({
    "is not there yet": temporaryFile,
    async exists(t) {
      const file = temporaryFile(t);
      const kv = await openKv(file);
      await kv.set(["k"], 0);
      await kv[Symbol.asyncDispose]();
      return file;
    },
  })) {
    test(`of two copies that open a file at the same moment one is refused: it ${kind}`, async (t) => {
      const other = require(copyOfPackage(t));
      for (let meeting = 0; meeting < rounds(MEETINGS); meeting++) {
        const file = await prepare(t);
        const openers = [openKv, other.openKv];
        if (meeting % 2 === 1) openers.reverse();
        const opening = await Promise.allSettled(openers.map((open) => open(file)));
        const opened = opening.flatMap(({ value }) => value ?? []);
        const refused = opening.flatMap(({ reason }) => reason?.code ?? []);
        for (const kv of opened) await kv[Symbol.asyncDispose]();
        assert.deepEqual([opened.length, refused], [1, ["FILE_IN_USE"]]);
      }
    });
  }

  test("threads share a file by one copy, and not by two", async (t) => {
    const { file, kv, copy } = await opened(t);
    const use = async (by, name) => (await succeed(startWorker(t, USER, [by, file, name])))[0];
    assert.deepEqual(await Promise.all([use(ROOT, "a"), use(ROOT, "b"), use(copy, "c")]), [
      "written",
      "written",
      "FILE_IN_USE",
    ]);
    assert.deepEqual(
      (await contents(kv)).map(({ value }) => value),
      [0, "a", "b"],
    );
  });

  test("other SQLites of the process count too", { skip: denoIsMissing }, async (t) => {
    assert.deepEqual(await runDeno(t, STRANGERS, [temporaryFile(t)]), [
      ["node:sqlite", "FILE_IN_USE"],
      ["nobody", "open"],
      ["Deno's own KV", "FILE_IN_USE"],
      ["nobody", "open"],
    ]);
  });
});
