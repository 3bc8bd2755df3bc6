// The whole public surface, used as a user would, the same on every runtime:
//
//     surface.mjs FOLDER SHARED BEFORE ME
//
// works on files of its own in FOLDER; compares what BEFORE wrote to the file SHARED, and writes the
// same to it as ME. Its one line tells the runtime, its version, and how many assertions were made.

import { join } from "node:path";
import process from "node:process";
import * as fencekv from "../../index.mjs";
import { compareAll, writeAll } from "../interop/exchange.mjs";
import * as commits from "./areas/commits.mjs";
import * as handles from "./areas/handles.mjs";
import * as reads from "./areas/reads.mjs";
import * as values from "./areas/values.mjs";
import { assert, assertions } from "./counted.mjs";

/** Milliseconds since 1970. */
const START = 1_700_000_000_000;

/** An area on a store of each kind, with a clock of its own. */
async function onEachStore(area, folder) {
  for (const path of [":memory:", join(folder, `${area.name}.db`)]) {
    const clock = { ms: START };
    const kv = await fencekv.openKv(path, { now: () => clock.ms });
    await area(kv, clock);
    await kv[Symbol.asyncDispose]();
  }
}

/** What another runtime wrote is read as it was written, and the next finds ours. */
async function handOver(file, before, me) {
  const kv = await fencekv.openKv(file);
  assert.deepEqual(await compareAll(kv, fencekv, before), []);
  await writeAll(kv, fencekv, me);
  assert.deepEqual(await compareAll(kv, fencekv, me), []);
  await kv[Symbol.asyncDispose]();
}

/** @returns {[string, string]} what runs this, and its version */
function runtime() {
  const { Bun, Deno } = globalThis;
  if (Deno !== undefined) return ["Deno", Deno.version.deno];
  if (Bun !== undefined) return ["Bun", Bun.version];
  return ["Node", process.versions.node];
}

const [folder, shared, before, me] = process.argv.slice(2);
const exported = [
  "AtomicOperation",
  "Kv",
  "KvError",
  "KvListIterator",
  "KvU64",
  "default",
  "openKv",
];
assert.deepEqual(Object.keys(fencekv).sort(), exported);
for (const areas of [values, commits, reads]) {
  for (const area of Object.values(areas)) await onEachStore(area, folder);
}
for (const area of Object.values(handles)) await area(folder);
await handOver(shared, before, me);

const [name, version] = runtime();
console.log(JSON.stringify({ name, version, assertions: assertions() }));
