"use strict";

// Commits to the file of its first argument until it is killed: in several lanes at once, so that
// commits of different lanes share a transaction. The second argument is how many commits of each
// lane the file holds. Each commit is acknowledged by a line, its lane and number, before the lane
// goes on to the next.

const { openKv } = require("../../../index.js");
const { commit } = require("../commits.js");

async function commitInLane(kv, lane, count) {
  for (let n = count + 1; ; n++) {
    await commit(kv, lane, n);
    process.stdout.write(`${JSON.stringify([lane, n])}\n`);
  }
}

async function main(file, counts) {
  const kv = await openKv(file);
  counts.forEach((count, lane) => commitInLane(kv, lane, count));
}

const [file, counts] = process.argv.slice(2);
main(file, JSON.parse(counts));
