"use strict";

// Many processes open a file that is not there yet, all at the same moment: one of them creates it,
// and none sees an error.

const assert = require("node:assert/strict");
const path = require("node:path");
const { test } = require("node:test");
const { startNode, succeed } = require("../support/programs.js");
const { rounds } = require("../support/seed.js");
const { temporaryFolder } = require("../support/stores.js");

const OPENER = path.join(__dirname, "programs/opener.js");
const NAMES = ["a", "b", "c", "d", "e", "f", "g", "h"];
const FILES = 50;

/** Milliseconds in which they are done with all files, on a slow machine too. */
const BOUND = 5 * 60_000;

test(`${NAMES.length} processes create one file and see one another's writes`, async (t) => {
  const folder = temporaryFolder(t);
  const programs = NAMES.map((name) => startNode(t, OPENER, [name], { timeout: BOUND }));
  /** Lets all go on at once, and waits for what each says. */
  const together = (message) => {
    for (const program of programs) program.tell(message);
    return Promise.all(programs.map((program) => program.line()));
  };
  for (const program of programs) assert.equal(await program.line(), "ready");

  for (let round = 0; round < rounds(FILES); round++) {
    const file = path.join(folder, `${round}.db`);
    assert.deepEqual(
      await together(file),
      NAMES.map(() => "written"),
    );
    for (const seen of await together("look")) assert.deepEqual(seen, NAMES);
  }
  for (const program of programs) await succeed(program);
});
