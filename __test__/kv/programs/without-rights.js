"use strict";

// Works on the file of its first argument without the rights that root has. A line for each
// operation: its name, and the value or the code of its error.

const { Kv, openKv } = require("../../../index.js");

/** A user that owns nothing here. */
const NOBODY = 65_534;

async function main(file) {
  // The native part is loaded before the rights to read it are gone.
  new Kv().close();
  if (process.getuid?.() === 0) process.setuid(NOBODY);

  const kv = new Kv(file);
  const operations = {
    openKv: () => openKv(file).then(() => "open"),
    get: () => kv.get(["k"]).then(({ value }) => value),
    set: () => kv.set(["k"], "changed").then(() => "set"),
    sum: () =>
      kv
        .atomic()
        .sum(["n"], 1n)
        .commit()
        .then(() => "summed"),
  };
  for (const [name, run] of Object.entries(operations)) {
    const outcome = await run().catch(({ code }) => code);
    process.stdout.write(`${JSON.stringify([name, outcome])}\n`);
  }
}

main(...process.argv.slice(2));
