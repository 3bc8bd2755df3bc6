// Works on an SQLite file with the SQLite of Deno, in a process of its own: a second copy of SQLite
// in the process of a test would drop the product's locks when it closes.
//
//     deno run -A sqlite.mjs FILE
//
// Each line of input is a statement, as JSON. The answer is a line: its rows, blobs as hex.

import { DatabaseSync } from "node:sqlite";
import { createInterface } from "node:readline";

const database = new DatabaseSync(process.argv[2]);
for await (const line of createInterface({ input: process.stdin })) {
  const rows = database.prepare(JSON.parse(line)).all();
  console.log(JSON.stringify(rows, showBlob));
}
database.close();

function showBlob(_key, value) {
  return value instanceof Uint8Array ? value.toHex() : value;
}
