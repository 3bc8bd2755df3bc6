"use strict";

// Processes that all want the same file get it in turn: none starves, none sees an error, and one
// that stands still does not hold up the others.

const assert = require("node:assert/strict");
const path = require("node:path");
const { test } = require("node:test");
const { setImmediate, setTimeout } = require("node:timers/promises");
const { isStopped, locksOn, procIsMissing } = require("../support/proc.js");
const { startNode, succeed } = require("../support/programs.js");
const { draws, rounds, tellSeed } = require("../support/seed.js");
const { contents, openFile, temporaryFile } = require("../support/stores.js");
const { monotonicMs } = require("./clock.js");

const COUNTER = path.join(__dirname, "programs/counter.js");
const COUNTERS = 8;

/** Increments of each, and the least that the slowest has made when the first is done. */
const INCREMENTS = 500;
const SLOWEST = 350;

/** Milliseconds: of a stop, of the delay that it may cause, until the next one is tried at most. */
const STOPPED = 1500;
const DELAY = 1000;
const APART = 50;

/** Stops that are tried in a test, at most. */
const TRIES = 1000;

/** Milliseconds in which the counters of a test end, on a slow machine too. */
const BOUND = 5 * 60_000;

/** Milliseconds in which all programs have heard when to begin. */
const TOLD = 500;

/** The byte of the -shm file that SQLite locks to write. */
const WRITE_LOCK = 120;

/** Counters on a file of their own, all waiting for a line to begin. */
async function counters(t, count) {
  const file = temporaryFile(t);
  const kv = await openFile(t, file);
  await kv.set(["n"], 0);
  const programs = Array.from({ length: COUNTERS }, (_, i) =>
    startNode(t, COUNTER, [file, i, count], { timeout: BOUND }),
  );
  for (const program of programs) assert.equal(await program.line(), "ready");
  return { file, kv, programs };
}

/** A head start is none of the turns' doing: 8 processes are not told at once on a busy machine. */
function beginTogether(programs) {
  const begin = monotonicMs() + TOLD;
  for (const program of programs) program.tell(String(begin));
}

/** @returns {Promise<number[]>} who made the increments, from the first to the last */
async function makers(kv) {
  const entries = await contents(kv);
  const { value: total } = entries.find(({ key }) => key[0] === "n");
  const made = entries.filter(({ key }) => key[0] === "by");
  assert.deepEqual(
    made.map(({ key }) => key[1]),
    Array.from({ length: total }, (_, i) => i + 1),
  );
  return made.map(({ value }) => Number(value));
}

/** How many increments each had made when the first had made all of its own. */
function whenFirstIsDone(made) {
  const counts = new Array(COUNTERS).fill(0);
  for (const maker of made) {
    counts[maker] += 1;
    if (counts[maker] === INCREMENTS) return counts;
  }
  throw new Error("none is done");
}

test(`${COUNTERS} processes count together: exactly, without an error, and in turn`, async (t) => {
  for (let run = 0; run < rounds(5); run++) {
    const { kv, programs } = await counters(t, INCREMENTS);
    const began = monotonicMs();
    beginTogether(programs);
    await Promise.all(programs.map((program) => program.line()));
    const tookMs = Math.round(monotonicMs() - began);
    await Promise.all(programs.map(succeed));

    const made = await makers(kv);
    assert.equal(made.length, COUNTERS * INCREMENTS);
    const counts = whenFirstIsDone(made).sort((a, b) => a - b);
    t.diagnostic(`${tookMs} ms; when the first was done the others had ${counts.join(", ")}`);
    assert.ok(counts[0] >= SLOWEST, `the slowest had made ${counts[0]}`);
  }
});

/**
 * Stops a process at a moment at which it does not hold SQLite's own write lock: nobody can write
 * before that one goes on, whatever the design. A process that holds the lock is let go on at once.
 *
 * @param {boolean} inTurn whether it must have its turn, which others wait for
 * @returns {Promise<number>} how often it held the lock
 */
async function stop({ pid }, file, inTurn, delays) {
  for (let held = 0; ;) {
    await setTimeout(delays.next().value);
    process.kill(pid, "SIGSTOP");
    while (!isStopped(pid)) await setImmediate();
    const writes = locksOn(`${file}-shm`, pid).some(
      ({ kind, first }) => kind === "WRITE" && first === WRITE_LOCK,
    );
    if (writes) held += 1;
    else if (!inTurn || locksOn(`${file}-turn`, pid).length > 0) return held;
    process.kill(pid, "SIGCONT");
  }
}

/** The longest time between two landings, or between one and an end of the window. */
function longestPause(landed, [from, to]) {
  const moments = [from, ...landed.filter((at) => at > from && at < to), to];
  return Math.max(...moments.slice(1).map((at, i) => at - moments[i]));
}

test(
  "one that is stopped in its turn delays each of the others by less than a second",
  { skip: procIsMissing },
  async (t) => {
    tellSeed(t, TRIES, "delays");
    const delays = draws(TRIES, APART).values();
    const { file, kv, programs } = await counters(t, Infinity);
    beginTogether(programs);

    const stopped = [];
    let held = 0;
    for (let round = 0; round < rounds(10); round++) {
      const victim = round % COUNTERS;
      held += await stop(programs[victim], file, round % 2 === 0, delays);
      const from = monotonicMs();
      await setTimeout(STOPPED);
      stopped.push({ victim, window: [from, monotonicMs()] });
      process.kill(programs[victim].pid, "SIGCONT");
    }
    t.diagnostic(`${stopped.length} stops; ${held} more met the holder of SQLite's write lock`);

    const landings = (await Promise.all(programs.map(succeed))).map(([landed]) => landed);
    const made = await makers(kv);
    landings.forEach((landed, i) => {
      assert.equal(made.filter((maker) => maker === i).length, landed.length);
    });
    for (const { victim, window } of stopped) {
      const pauses = landings.map((landed) => Math.round(longestPause(landed, window)));
      t.diagnostic(`stopped ${victim}; longest pauses in ms: ${pauses.join(", ")}`);
      pauses.forEach((pause, i) => {
        if (i !== victim) assert.ok(pause < DELAY, `${i} landed nothing for ${pause} ms`);
      });
    }
  },
);
