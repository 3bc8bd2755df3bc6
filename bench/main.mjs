// npm run bench [-- part of a row's name...]: fencekv beside its peers on the same data, in one
// process, in turn. Only the ratios count: times depend on the machine and on what else it does.

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { measure } from "./measure.mjs";
import * as codec from "./rows/codec.mjs";
import * as denoKv from "./rows/deno-kv.mjs";
import * as memory from "./rows/memory.mjs";

const AREAS = [denoKv, memory, codec];
const RESULTS = new URL("results.json", import.meta.url);

async function main(wanted) {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "fencekv-bench-"));
  const results = [];
  console.log(line("work", "fencekv", "peer", "ratio", "at least", "verdict"));
  try {
    for (const area of AREAS) {
      const { rows, close } = await area.open(scratch);
      for (const row of rows.filter(({ name }) => isWanted(name, wanted))) {
        const result = await measure(row);
        results.push(result);
        console.log(show(result));
      }
      await close();
    }
  } finally {
    fs.rmSync(scratch, { recursive: true });
  }
  fs.writeFileSync(RESULTS, JSON.stringify({ ...machine(), results }, null, 2));
  console.log(`\ntimes in us an operation, medians; written to bench/results.json`);
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

await main(process.argv.slice(2));
