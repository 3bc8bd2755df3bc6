"use strict";

// Processes and threads that end: an open handle keeps none alive, a pending operation does, and
// none is held up or harmed on its way out.

const assert = require("node:assert/strict");
const { once } = require("node:events");
const path = require("node:path");
const { test } = require("node:test");
const { Worker } = require("node:worker_threads");
const { runNode, startNode, startWorker } = require("../support/programs.js");
const { Sqlite, sqliteIsMissing } = require("../support/sqlite.js");
const { contents, openFile, temporaryFile } = require("../support/stores.js");

const LEAVER = path.join(__dirname, "programs/leaver.js");

/** Milliseconds in which a writer is stopped even while it waits for a lock, and some for starting. */
const STOPPED = 5_000;

for (const [manner, lines] of Object.entries({
  idle: ["idle"],
  unused: ["unused"],
  pending: ["set", ["get", 1], ["list", ["k"]], ["swept", 0]],
  pendingOpen: ["open"],
  closed: ["set"],
})) {
  test(`a process ends by itself: ${manner}`, async (t) => {
    const said = await runNode(t, LEAVER, [temporaryFile(t), manner]);
    assert.deepEqual(said.map(String).sort(), lines.map(String).sort());
  });

  test(`a thread ends by itself: ${manner}`, async (t) => {
    const program = startWorker(t, LEAVER, [temporaryFile(t), manner]);
    const { code, lines: said } = await program.end();
    assert.equal(code, 0);
    assert.deepEqual(said.map(String).sort(), lines.map(String).sort());
  });
}

for (const [name, start] of [
  ["process", startNode],
  ["thread", startWorker],
]) {
  test(`a ${name} exits with its code while commits are pending, and the file stands`, async (t) => {
    const file = temporaryFile(t);
    const { code } = await start(t, LEAVER, [file, "exit"]).end();
    assert.equal(code, 7);
    const kv = await openFile(t, file);
    const keys = (await contents(kv)).map(({ key }) => key[1]);
    assert.deepEqual(
      keys,
      keys.map((_, i) => i),
      "what landed is the first commits, with no gap",
    );
    assert.equal((await kv.set(["after"], 1)).ok, true);
  });

  test(
    `a ${name} exits with its code while a commit waits for a lock`,
    { skip: sqliteIsMissing },
    async (t) => {
      const file = temporaryFile(t);
      await (await openFile(t, file)).set(["k"], 0);
      const other = new Sqlite(t, file);
      await other.run("begin immediate");
      const program = start(t, LEAVER, [file, "exitWaiting"]);
      assert.equal(await program.line(), "exiting");
      const began = performance.now();
      const { code } = await program.end();
      assert.equal(code, 7);
      assert.ok(performance.now() - began < STOPPED, `${performance.now() - began} ms`);
      await other.run("rollback");
    },
  );
}

test("a process in which an error is thrown ends with code 1", async (t) => {
  const { code, stderr } = await startNode(t, LEAVER, [temporaryFile(t), "throw"]).end();
  assert.equal(code, 1);
  assert.match(stderr, /thrown on purpose/);
});

test("a worker is terminated amid commits, again and again, and the file stands", async (t) => {
  const file = temporaryFile(t);
  const kv = await openFile(t, file);
  for (let round = 0; round < 10; round++) {
    const worker = new Worker(LEAVER, { argv: [file, "busy"], stdout: true });
    await once(worker.stdout, "data");
    await worker.terminate();
    await kv.set(["round"], round);
  }
  const entries = await contents(kv);
  const values = entries
    .filter(({ key }) => key[0] === "k")
    .map(({ key, value }) => [key[1], value]);
  assert.deepEqual(
    values,
    values.map((_, i) => [i, i]),
  );
});
