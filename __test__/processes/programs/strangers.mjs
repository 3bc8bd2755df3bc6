// Opens the file of its argument while another SQLite in this process of Deno has it open, and once
// more when that one has closed it. A line for each: who was there, and the code or "open".

import { createRequire } from "node:module";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";

const { openKv } = createRequire(import.meta.url)("../../../index.js");
const [file] = process.argv.slice(2);

const STRANGERS = {
  "node:sqlite": () => new DatabaseSync(file),
  "Deno's own KV": () => globalThis.Deno.openKv(file),
};

async function outcome() {
  try {
    await using kv = await openKv(file);
    await kv.set(["k"], "open");
    return (await kv.get(["k"])).value;
  } catch ({ code }) {
    return code;
  }
}

for (const [name, open] of Object.entries(STRANGERS)) {
  const stranger = await open();
  console.log(JSON.stringify([name, await outcome()]));
  stranger.close();
  console.log(JSON.stringify(["nobody", await outcome()]));
}
