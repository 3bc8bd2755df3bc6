// Run by Deno: our codec there, and our bytes in a file that Deno.openKv reads. One line of JSON
// per value: its name, and what went wrong, if anything.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { DatabaseSync } from "node:sqlite";
import { corpus } from "./corpus.mjs";

const { decode, encode } = createRequire(import.meta.url)("../../js/codec");

const names = Object.keys(corpus);
const file = await Deno.makeTempFile({ suffix: ".db" });

const empty = await Deno.openKv(file);
for (const i of names.keys()) await empty.set([i], null);
empty.close();

const database = new DatabaseSync(file);
const keys = database.prepare("select k from kv order by k").all();
const update = database.prepare("update kv set v = ? where k = ?");
for (const [i, { k }] of keys.entries()) update.run(encode(corpus[names[i]]()), k);
database.close();

const kv = await Deno.openKv(file);
for (const [i, name] of names.entries()) {
  const wrong = [];
  const check = (what, actual) => {
    try {
      assert.deepEqual(actual, corpus[name]());
    } catch (error) {
      wrong.push(`${what}: ${error.message}`);
    }
  };
  check("our codec on Deno", decode(encode(corpus[name]())));
  check("Deno.Kv reading our bytes", (await kv.get([i])).value);
  console.log(JSON.stringify({ name, wrong }));
}
kv.close();
await Deno.remove(file);
