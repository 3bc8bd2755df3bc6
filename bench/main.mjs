// npm run bench [-- part of a row's name...]: fencekv beside its peers on the same data, an area in
// one process, in turn. Only the ratios count: times depend on the machine and on what else it does.

import { fork } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { measure } from "./measure.mjs";
import * as codec from "./rows/codec.mjs";
import * as denoKv from "./rows/deno-kv.mjs";
import * as memory from "./rows/memory.mjs";

const AREAS = { denoKv, memory, codec };
const RESULTS = new URL("results.json", import.meta.url);

/** Each area has a process of its own, so that what one leaves behind does not slow the next. */
async function main(wanted) {
  console.log(line("work", "fencekv", "peer", "ratio", "at least", "verdict"));
  const results = [];
  for (const area of Object.keys(AREAS)) results.push(...(await inChild(area, wanted)));
  fs.writeFileSync(RESULTS, JSON.stringify({ ...machine(), results }, null, 2));
  console.log(`\ntimes in us an operation, medians; written to bench/results.json`);
}

async function inChild(area, wanted) {
  const child = fork(fileURLToPath(import.meta.url), [`--area=${area}`, ...wanted]);
  const results = [];
  child.on("message", (result) => results.push(result));
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`the rows of ${area} ended with exit code ${code}`);
  return results;
}

/** Measures the rows of an area, and sends each result to the parent. */
async function measureArea(area, wanted) {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "fencekv-bench-"));
  const { rows, close } = await AREAS[area].open(scratch);
  try {
    for (const row of rows.filter(({ name }) => isWanted(name, wanted))) {
      const result = await measure(row);
      console.log(show(result));
      process.send(result);
    }
  } finally {
    await close();
    fs.rmSync(scratch, { recursive: true });
    process.disconnect();
  }
}

function isWanted(name, wanted) {
  return wanted.length === 0 || wanted.some((part) => name.includes(part));
}

function show({ name, peer, atLeast, ours, theirs, ratio }) {
  const verdict = ratio >= atLeast ? "ok" : "SHORT";
  return line(
    `${name}, vs ${peer}`,
    ours.toFixed(2),
    theirs.toFixed(2),
    `${ratio.toFixed(2)}x`,
    `${atLeast}x`,
    verdict,
  );
}

function line(work, ...columns) {
  return work.padEnd(62) + columns.map((text) => text.padStart(10)).join("");
}

function machine() {
  return {
    at: new Date().toISOString(),
    node: process.version,
    cpu: os.cpus()[0].model,
    cores: os.cpus().length,
  };
}

const { values, positionals } = parseArgs({
  options: { area: { type: "string" } },
  allowPositionals: true,
});
await (values.area === undefined ? main(positionals) : measureArea(values.area, positionals));
