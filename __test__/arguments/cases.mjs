// The misuse table: every public method, every wrong kind of argument, and the odd right one
// beside it. The same calls run on real Deno (record-deno.mjs) and on fencekv (misuse.test.js).
//
// A case is { name, call(kv, api), closes?, engine?, races?, writesFirst? }:
//   call        may throw, return, or return a promise; api has Kv, KvU64 and openKv
//   closes      it closes the handle it is given
//   engine      the JavaScript engine itself refuses, so the error bears no code
//   races       it may end one way or another, as two things happen at once
//   writesFirst it writes something rightly before the misuse

import { atomicCases } from "./cases/atomics.mjs";
import { handleCases } from "./cases/handles.mjs";
import { keyCases } from "./cases/keys.mjs";
import { readCases } from "./cases/reads.mjs";
import { valueCases } from "./cases/values.mjs";

const drain = async (list) => {
  const entries = [];
  for await (const entry of list) entries.push(entry);
  return entries;
};

export const cases = [
  ...keyCases(drain),
  ...readCases(drain),
  ...valueCases(),
  ...atomicCases(),
  ...handleCases(drain),
];

/** Three plain entries and a counter, there before every case. */
export function seed(kv, api) {
  return kv
    .atomic()
    .set(["seed", 1], "one")
    .set(["seed", 2], "two")
    .set(["seed", "u64"], new api.KvU64(5n))
    .commit();
}

const names = cases.map((entry) => entry.name);
const twice = names.find((name, i) => names.indexOf(name) !== i);
if (twice !== undefined) throw new Error(`two cases are named ${JSON.stringify(twice)}`);
