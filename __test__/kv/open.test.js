"use strict";

// Opening a file: what cannot be opened says so by a code, at openKv or at the first operation.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { describe, test } = require("node:test");
const { Kv, KvError, openKv } = require("../../index.js");
const { runNode, startNode } = require("../support/programs.js");
const {
  contents,
  openFile,
  temporaryFile,
  temporaryFolder,
  wholeFile,
} = require("../support/stores.js");

const WITHOUT_RIGHTS = path.join(__dirname, "programs/without-rights.js");
const CONTENDER = path.join(__dirname, "programs/contender.js");

/** Each makes a path in an empty folder, on which nothing can be opened. */
const UNFIT = {
  "a missing directory": {
    code: "CANT_OPEN",
    make: (folder) => path.join(folder, "missing/app.db"),
  },
  "a directory": { code: "CANT_OPEN", make: (folder) => folder },
  "a path below a file": {
    code: "CANT_OPEN",
    make: (folder) => path.join(write(folder, "text"), "app.db"),
  },
  "a text": {
    code: "NOT_A_DATABASE",
    make: (folder) => write(folder, "no database ".repeat(1000)),
  },
  "a short text": { code: "NOT_A_DATABASE", make: (folder) => write(folder, "text") },
};

function write(folder, text) {
  const file = path.join(folder, "file");
  fs.writeFileSync(file, text);
  return file;
}

const OPERATIONS = {
  get: (kv) => kv.get(["k"]),
  getMany: (kv) => kv.getMany([["k"]]),
  list: (kv) => kv.list({ prefix: [] }).next(),
  set: (kv) => kv.set(["k"], 1),
  commit: (kv) => kv.atomic().commit(),
  sweepExpired: (kv) => kv.sweepExpired(),
};

for (const [name, { code, make }] of Object.entries(UNFIT)) {
  test(`${name} is refused with ${code}`, async (t) => {
    const file = make(temporaryFolder(t));
    const before = fs.existsSync(file) && fs.statSync(file).mtimeMs;
    await assert.rejects(openKv(file), (error) => {
      assert.ok(error instanceof KvError);
      assert.equal(error.code, code);
      assert.ok(error.cause instanceof Error);
      assert.equal(error.message.includes("\n"), false);
      return true;
    });
    assert.equal(fs.existsSync(file) && fs.statSync(file).mtimeMs, before);
  });

  test(`new Kv on ${name} reports it at each operation`, async (t) => {
    const kv = new Kv(make(temporaryFolder(t)));
    t.after(() => kv.close());
    for (const [operation, run] of Object.entries(OPERATIONS)) {
      await assert.rejects(run(kv), { code }, operation);
    }
    const all = await Promise.allSettled(Object.values(OPERATIONS).map((run) => run(kv)));
    assert.deepEqual(new Set(all.map(({ reason }) => reason?.code)), new Set([code]));
  });
}

test("new Kv makes no file until it is used, and goes on once the path is fit", async (t) => {
  const folder = path.join(temporaryFolder(t), "later");
  const file = path.join(folder, "app.db");
  const kv = new Kv(file);
  t.after(() => kv[Symbol.asyncDispose]());
  await assert.rejects(kv.set(["k"], 1), { code: "CANT_OPEN" });
  fs.mkdirSync(folder);
  assert.equal(fs.existsSync(file), false);
  assert.equal((await kv.set(["k"], 2)).ok, true);
  assert.equal((await kv.get(["k"])).value, 2);
  assert.equal(fs.existsSync(file), true);
});

test("openKv creates the file, an empty one becomes a store", async (t) => {
  const folder = temporaryFolder(t);
  for (const file of [path.join(folder, "new.db"), write(folder, "")]) {
    const kv = await openFile(t, file);
    assert.ok(fs.statSync(file).size > 0);
    assert.deepEqual(await contents(kv), []);
  }
});

test("a relative path is taken from where the process was at construction", async (t) => {
  const folder = fs.realpathSync(temporaryFolder(t));
  const cwd = process.cwd();
  t.after(() => process.chdir(cwd));
  process.chdir(folder);
  const kv = new Kv("app.db");
  t.after(() => kv[Symbol.asyncDispose]());
  process.chdir(cwd);
  await kv.set(["k"], 1);
  assert.ok(fs.existsSync(path.join(folder, "app.db")));
});

test("without a path, and as :memory:, each handle has a store of its own", async (t) => {
  const handles = [new Kv(), new Kv(":memory:"), await openKv(), await openKv(":memory:")];
  t.after(() => handles.forEach((kv) => kv.close()));
  await Promise.all(handles.map((kv, i) => kv.set(["k"], i)));
  for (const [i, kv] of handles.entries()) assert.equal((await kv.get(["k"])).value, i);
});

test("a name of other characters than ASCII", async (t) => {
  const file = path.join(temporaryFolder(t), "größe 😀 %20?mode=memory#.db");
  const kv = await openFile(t, file);
  await kv.set(["k"], 1);
  assert.ok(fs.existsSync(file));
});

test("many handles and processes create one file at once", async (t) => {
  const file = temporaryFile(t);
  const programs = Array.from({ length: 4 }, (_, i) => startNode(t, CONTENDER, [file, i]));
  const handles = await Promise.all(Array.from({ length: 8 }, () => openFile(t, file)));
  for (const program of programs) assert.deepEqual(await program.line(), []);
  await Promise.all(handles.map((kv, i) => kv.set(["k", i], i)));
  assert.equal((await contents(handles[0])).length, 8);
});

describe("a file that may not be written", () => {
  async function readOnly(t, modeOfFolder) {
    const file = temporaryFile(t);
    const kv = await openFile(t, file);
    await kv.set(["k"], "kept");
    await kv[Symbol.asyncDispose]();
    await wholeFile(file);
    fs.chmodSync(file, 0o444);
    fs.chmodSync(path.dirname(file), modeOfFolder);
    const outcomes = await runNode(t, WITHOUT_RIGHTS, [file]);
    fs.chmodSync(path.dirname(file), 0o777);
    fs.chmodSync(file, 0o666);
    assert.equal((await (await openFile(t, file)).get(["k"])).value, "kept");
    return Object.fromEntries(outcomes);
  }

  test("in a folder that may be: reads work, writes reject with READ_ONLY", async (t) => {
    const { set, sum, get } = await readOnly(t, 0o777);
    assert.deepEqual({ set, sum, get }, { set: "READ_ONLY", sum: "READ_ONLY", get: "kept" });
  });

  test("in a folder that may not be either: writes reject with a code", async (t) => {
    const { set, sum } = await readOnly(t, 0o555);
    for (const code of [set, sum]) assert.match(code, /^(READ_ONLY|CANT_OPEN)$/);
  });
});
