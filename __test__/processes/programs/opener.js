"use strict";

// For each file that a line of input names: opens it, writes its own name (the first argument), and
// when the next line comes says which names it sees there.

const readline = require("node:readline");
const { openKv } = require("../../../index.js");
const { contents } = require("../../support/stores.js");

const say = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);

async function main(name) {
  const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  say("ready");
  for (;;) {
    const { value, done } = await lines.next();
    if (done) return;
    const kv = await openKv(JSON.parse(value));
    await kv.set(["by", name], name);
    say("written");
    await lines.next();
    say((await contents(kv)).map((entry) => entry.value));
    await kv[Symbol.asyncDispose]();
  }
}

main(process.argv[2]);
