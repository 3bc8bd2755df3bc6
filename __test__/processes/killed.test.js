"use strict";

// A process is killed at a random moment while it commits: what it acknowledged is there, nothing is
// there by half, and the next process goes on with the log that it left behind.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const { setTimeout } = require("node:timers/promises");
const { openKv } = require("../../index.js");
const { startNode } = require("../support/programs.js");
const { draws, rounds, tellSeed } = require("../support/seed.js");
const { Sqlite, sqliteIsMissing } = require("../support/sqlite.js");
const { contents, temporaryFolder } = require("../support/stores.js");
const { countWhole } = require("./commits.js");

const COMMITTER = path.join(__dirname, "programs/committer.js");
const LANES = 4;
const KILLS = 300;

/** After so many kills the next file is begun. */
const KILLS_OF_A_FILE = 10;

/** Milliseconds from the first acknowledgement to the kill, at most. */
const LIFE = 100;

/** Commits in a process of its own, and kills it. @returns what each lane acknowledged last */
async function commitUntilKilled(t, file, counts, lifeMs) {
  const program = startNode(t, COMMITTER, [file, JSON.stringify(counts)]);
  const first = await program.line();
  await setTimeout(lifeMs);
  const acknowledged = [...counts];
  for (const [lane, n] of [first, ...(await program.kill())]) {
    assert.equal(n, acknowledged[lane] + 1);
    acknowledged[lane] = n;
  }
  return acknowledged;
}

/** Copies a file that nobody has open, with its log, so that who looks leaves both as they are. */
function copyOf(file, copy) {
  fs.rmSync(`${copy}-wal`, { force: true });
  fs.copyFileSync(file, copy);
  if (fs.existsSync(`${file}-wal`)) fs.copyFileSync(`${file}-wal`, `${copy}-wal`);
}

/** How many commits of each lane a copy of the file holds, all of them whole. */
async function countIn(copy) {
  const kv = await openKv(copy);
  try {
    return countWhole(await contents(kv), LANES);
  } finally {
    await kv[Symbol.asyncDispose]();
  }
}

/** Kills one committer after another on the same file, and judges the file after each. */
async function killAgainAndAgain(t, lives) {
  const folder = temporaryFolder(t);
  const file = path.join(folder, "app.db");
  const copy = path.join(folder, "copy.db");
  const sqlite = new Sqlite(t, ":memory:");
  let counts = new Array(LANES).fill(0);
  let unacknowledged = 0;

  for (const lifeMs of lives) {
    const acknowledged = await commitUntilKilled(t, file, counts, lifeMs);
    assert.ok(fs.statSync(`${file}-wal`).size > 0, "the next to open the file recovers its log");

    copyOf(file, copy);
    await sqlite.run(`attach '${copy}' as copy`);
    assert.deepEqual(await sqlite.run("pragma copy.integrity_check"), [{ integrity_check: "ok" }]);
    await sqlite.run("detach copy");

    copyOf(file, copy);
    counts = await countIn(copy);
    // Each lane had one more on its way.
    counts.forEach((count, lane) => {
      const more = count - acknowledged[lane];
      assert.ok(more === 0 || more === 1, `lane ${lane} holds ${more} more than acknowledged`);
      unacknowledged += more;
    });
  }
  await sqlite.close();
  return { commits: counts.reduce((a, b) => a + b), unacknowledged };
}

test(
  "after a kill every acknowledged commit is there, and none by half",
  { skip: sqliteIsMissing },
  async (t) => {
    const kills = rounds(KILLS);
    tellSeed(t, kills, "kills");
    const lives = draws(kills, LIFE);
    for (let first = 0; first < kills; first += KILLS_OF_A_FILE) {
      const { commits, unacknowledged } = await killAgainAndAgain(
        t,
        lives.slice(first, first + KILLS_OF_A_FILE),
      );
      t.diagnostic(`${commits} commits, ${unacknowledged} of them not acknowledged`);
    }
  },
);
