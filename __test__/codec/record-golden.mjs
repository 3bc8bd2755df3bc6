// Records the bytes that real Deno stores for every value of the corpus:
//
//   deno run -A --unstable-kv __test__/codec/record-golden.mjs > __test__/codec/deno-2.9.jsonl
//
// One line a value, so that a new version of Deno shows its changes as a diff.

import { DatabaseSync } from "node:sqlite";
import { corpus } from "./corpus.mjs";

/** Bytes; longer values show nothing that shorter ones do not. */
const LONGEST = 8000;

const file = await Deno.makeTempFile({ suffix: ".db" });
const values = Object.entries({ ...corpus, Float16Array: () => Float16Array.of(1.5, -0) });

const kv = await Deno.openKv(file);
for (const [i, [, make]] of values.entries()) await kv.set([i], make());
kv.close();

const database = new DatabaseSync(file);
const rows = database.prepare("select v, v_encoding from kv order by k").all();
database.close();
await Deno.remove(file);

console.log(JSON.stringify({ deno: Deno.version.deno, v8: Deno.version.v8 }));
for (const [i, { v, v_encoding }] of rows.entries()) {
  if (v_encoding !== 1) throw new Error(`${values[i][0]} is not in V8's format`);
  if (v.length <= LONGEST) console.log(JSON.stringify({ name: values[i][0], hex: v.toHex() }));
}
