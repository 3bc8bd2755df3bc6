"use strict";

// Counts in the file of its first argument, by get, check and set, until it has added as much as its
// third argument says or its input ends. Each commit notes under its number who made it, which is
// the second argument. Its first line of input is when it is to begin, its last line of output when
// its commits landed, in milliseconds of the clock that all processes share.

const { once } = require("node:events");
const { setTimeout } = require("node:timers/promises");
const { openKv } = require("../../../index.js");
const { monotonicMs } = require("../clock.js");

async function main(file, name, count) {
  const kv = await openKv(file);
  let ended = false;
  process.stdin.once("end", () => (ended = true));
  process.stdout.write('"ready"\n');
  const [begin] = await once(process.stdin, "data");
  process.stdin.resume();
  await setTimeout(Number(begin) - monotonicMs());

  const landed = [];
  while (landed.length < count && !ended) {
    const { value, versionstamp } = await kv.get(["n"]);
    const { ok } = await kv
      .atomic()
      .check({ key: ["n"], versionstamp })
      .set(["n"], value + 1)
      .set(["by", value + 1], name)
      .commit();
    if (ok) landed.push(monotonicMs());
  }
  process.stdout.write(`${JSON.stringify(landed)}\n`);
  kv.close();
  process.stdin.destroy();
}

const [file, name, count] = process.argv.slice(2);
main(file, name, Number(count));
