"use strict";

// Takes part in races on the file of its first argument, as the holder of its second. Each line of
// input is the keys of one race; the answer is which of them it took.

const readline = require("node:readline");
const { openKv } = require("../../../index.js");

async function main(file, holder) {
  const kv = await openKv(file);
  process.stdout.write("[]\n");
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const keys = JSON.parse(line);
    const results = await Promise.all(
      keys.map((key) => kv.atomic().check({ key, versionstamp: null }).set(key, holder).commit()),
    );
    const taken = keys.filter((_, i) => results[i].ok);
    process.stdout.write(`${JSON.stringify(taken)}\n`);
  }
  kv.close();
}

main(...process.argv.slice(2));
