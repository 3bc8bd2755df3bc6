"use strict";

// Writes the same number to ten keys of the file of its first argument, again and again, each time
// the next number in one commit, until it is ended.

const { openKv } = require("../../../index.js");

async function main(file) {
  const kv = await openKv(file, { durability: "normal" });
  for (let n = 0; ; n++) {
    const op = kv.atomic();
    for (let i = 0; i < 10; i++) op.set(["k", i], n);
    await op.commit();
    if (n === 0) process.stdout.write("0\n");
  }
}

main(process.argv[2]);
