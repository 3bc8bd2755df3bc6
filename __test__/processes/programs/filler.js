"use strict";

// Commits to a file that at some point cannot grow any more. Each line of input is a command and its
// arguments, each answer a line.

const fs = require("node:fs");
const path = require("node:path");
const readline = require("node:readline");
const { openKv } = require("../../../index.js");
const { contents } = require("../../support/stores.js");
const { commit } = require("../commits.js");

const COMMANDS = {
  /** Commits until one is refused. @returns its code, and the commits and versionstamp before it */
  async fill(kv) {
    let last;
    for (let n = 1; ; n++) {
      try {
        ({ versionstamp: last } = await commit(kv, 0, n));
      } catch ({ code }) {
        return { code, count: n - 1, last };
      }
    }
  },
  /** The first commits of lanes, at once. @returns for each its code, or null when it landed */
  async together(kv, lanes) {
    const settled = await Promise.allSettled(lanes.map((lane) => commit(kv, lane, 1)));
    return settled.map(({ reason }) => reason?.code ?? null);
  },
  /** @returns the code of a commit, or its versionstamp */
  commit: (kv, lane, n) =>
    commit(kv, lane, n).then(
      ({ versionstamp }) => ({ versionstamp }),
      ({ code }) => ({ code }),
    ),
  contents,
  remove: (_kv, file) => fs.rmSync(file),
  /** Takes so many bytes of the disk, or what is left. @returns the code if it was less */
  occupy(_kv, file, bytes) {
    const handle = fs.openSync(file, "w");
    try {
      for (let at = 0; at < bytes; at += 4096) fs.writeSync(handle, Buffer.alloc(4096));
    } catch ({ code }) {
      return code;
    } finally {
      fs.closeSync(handle);
    }
  },
  /** @returns the code with which another store in the same folder does not open */
  openAnother: (_kv, file) =>
    openKv(file).then(
      () => null,
      ({ name, code }) => [name, code],
    ),
};

async function main(file) {
  process.chdir(path.dirname(file));
  const kv = await openKv(file);
  process.stdout.write('"open"\n');
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [command, ...args] = JSON.parse(line);
    const answer = await COMMANDS[command](kv, ...args);
    process.stdout.write(`${JSON.stringify(answer ?? null)}\n`);
  }
  await kv[Symbol.asyncDispose]();
}

main(process.argv[2]);
