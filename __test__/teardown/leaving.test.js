"use strict";

// Processes and workers that end, on each runtime: an open handle keeps none alive, a pending
// operation does, and none is held up or harmed on its way out.

const assert = require("node:assert/strict");
const path = require("node:path");
const { describe, test } = require("node:test");
const { succeed } = require("../support/programs.js");
const { RUNTIMES, startOn } = require("../support/runtimes.js");
const { draws, rounds, tellSeed } = require("../support/seed.js");
const { Sqlite } = require("../support/sqlite.js");
const { contents, openFile, temporaryFile } = require("../support/stores.js");

const LEAVER = path.join(__dirname, "programs/leaver.mjs");
const WORKERS = path.join(__dirname, "programs/workers.mjs");

/** Workers that end in sequence, in parallel, and terminated amid commits. */
const IN_SEQUENCE = 20;
const IN_PARALLEL = 8;
const TERMINATED = 10;

/** The oldest and the newest Node, and the others. */
const TESTED = RUNTIMES.filter(({ name }) => ["Node 20", "Node 26", "Deno", "Bun"].includes(name));

/** Milliseconds from the line that is said last to the end of the process. */
const GONE_WITHIN = 1000;

/** What is said, in any order, by one that ends by itself. */
const BY_ITSELF = {
  "idle in memory": ["idle"],
  idle: ["idle"],
  unused: ["unused"],
  pending: ["get", "list", "set", "swept"],
  opening: ["open"],
  closed: ["set"],
};

/** Where it is told to leave, how, and the code with which the process ends then. */
const TOLD = [
  ["process", "exit", 7],
  ["process", "throw", 1],
  ["worker", "exit", 7],
  ["worker", "throw", 1],
  ["worker", "terminate", 7],
];

/** Milliseconds that each round waits, once its commits are under way, until it leaves. */
const DELAYS = draws(rounds(10), 50);

/** Runs the leaver to its end, which must not be a crash, and measures how long it took to be gone. */
async function leave(t, runtime, ...args) {
  const { code, lines, stderr } = await startOn(t, runtime, LEAVER, args).end();
  const end = Date.now();
  assert.ok(lines.length > 0, stderr);
  const ms = end - lines.at(-1).at;
  assert.ok(ms < GONE_WITHIN, `it took ${ms} ms to be gone`);
  return { code, said: lines.map(({ what }) => what), stderr, ms };
}

/** Has it leave as it is told, and gives the milliseconds that it took. */
async function leaveAsTold(t, runtime, [place, leaving, asked], doing, file, delay) {
  const { code, said, stderr, ms } = await leave(t, runtime, place, file, doing, leaving, delay);
  assert.equal(code, asked, stderr);
  assert.deepEqual(said, ["leaving"]);
  assert.equal(leaving === "throw", /thrown on purpose/.test(stderr), stderr);
  return ms;
}

/** Runs `round` after each of the delays, and prints how it went. */
async function everyRound(t, round) {
  tellSeed(t, DELAYS.length, "rounds");
  let slowest = 0;
  for (const delay of DELAYS) slowest = Math.max(slowest, await round(delay));
  t.diagnostic(`the slowest gone after ${slowest} ms`);
}

/** What landed of numbers committed one after another is the first of them, with no gap. */
async function assertNoGap(t, file) {
  const kv = await openFile(t, file);
  const numbers = (await contents(kv)).map(({ key, value }) => [key, value]);
  assert.ok(numbers.length > 0);
  assert.deepEqual(
    numbers,
    numbers.map((_, n) => [["k", n], n]),
  );
  assert.equal((await kv.set(["after"], 1)).ok, true);
  await kv[Symbol.asyncDispose]();
}

for (const runtime of TESTED) {
  describe(runtime.name, () => {
    for (const [doing, expected] of Object.entries(BY_ITSELF)) {
      for (const place of ["process", "worker"]) {
        test(`a ${place} ends by itself: ${doing}`, async (t) => {
          const path = doing === "idle in memory" ? ":memory:" : temporaryFile(t);
          const { code, said, stderr } = await leave(t, runtime, place, path, doing.split(" ")[0]);
          assert.equal(code, 0, stderr);
          assert.deepEqual(said.sort(), expected);
        });
      }
    }

    for (const way of TOLD) {
      const [place, leaving] = way;
      test(`a ${place} leaves amid commits: ${leaving}`, async (t) => {
        await everyRound(t, async (delay) => {
          const file = temporaryFile(t);
          const ms = await leaveAsTold(t, runtime, way, "committing", file, delay);
          await assertNoGap(t, file);
          return ms;
        });
      });

      test(`a ${place} leaves while commits wait for a lock: ${leaving}`, async (t) => {
        const file = temporaryFile(t);
        const kv = await openFile(t, file);
        await kv.set(["k"], 0);
        const other = new Sqlite(t, file);
        await other.run("begin immediate");
        await everyRound(t, (delay) => leaveAsTold(t, runtime, way, "waiting", file, delay));
        await other.run("rollback");
        assert.equal((await kv.get(["k"])).value, 0);
        assert.equal((await kv.set(["k"], 2)).ok, true);
      });
    }

    test("workers end in sequence, in parallel, and terminated amid commits", async (t) => {
      const args = [temporaryFile(t), IN_SEQUENCE, IN_PARALLEL, TERMINATED];
      const program = startOn(t, runtime, WORKERS, args);
      const [{ codes, workers, main }] = await succeed(program);
      const byThemselves = IN_SEQUENCE + IN_PARALLEL;
      const numbers = Array.from({ length: byThemselves + TERMINATED }, (_, n) => n);
      assert.deepEqual(codes, Array(byThemselves).fill(0));
      assert.deepEqual(workers, numbers);
      assert.deepEqual(main, numbers.slice(byThemselves));
    });
  });
}
