// npm run bench [-- [--save] part of a row's name...]: fencekv beside its peers on the same data, an
// area in one process, in turn. Only the ratios count: times depend on the machine and on what else
// it does. `--save` writes the figures and their plot to docs/bench, which the README shows.

import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { PeerMissing, buildPeers } from "./peers.mjs";
import { plotRatios } from "./plot/ratios.mjs";
import { head, isMet, show, write } from "./report.mjs";
import { isInMemory, scratchFolder } from "./scratch.mjs";

// Modules under rows/, with the flags of Node that they need.
const AREAS = {
  "deno-kv": [],
  "better-sqlite3": [],
  lmdb: [],
  memory: [],
  codec: [],
  "event-loop": [],
  // The young generation (16 MB is its greatest size) does not grow: V8 lets it by the pace of the
  // work, which would look like a leak.
  rss: ["--expose-gc", "--min-semi-space-size=16", "--max-semi-space-size=16"],
};

/** Each area has a process of its own, so that what one leaves behind does not slow the next. */
async function main(wanted, save) {
  if (save && wanted.length > 0) throw new Error("only a run of all rows can be saved");
  await buildPeers();
  if (isInMemory()) console.log("temporary files are in memory: durable rows cost no flush here");
  console.log(head());
  const results = [];
  const missing = [];
  for (const area of Object.keys(AREAS)) {
    const measured = await inChild(area, wanted);
    results.push(...measured.results);
    if (measured.missing !== undefined) missing.push(measured.missing);
  }
  if (results.length === 0) throw new Error(`no row has ${wanted.join(" or ")} in its name`);
  if (save && missing.length > 0) throw new Error(`not saved: ${missing.join("; ")}`);
  const where = write("ratios", { results, missing }, plotRatios(results), save);
  const short = results.filter((result) => !isMet(result)).length;
  console.log(`\nmedians; ${short} of ${results.length} rows fall short; figures: ${where}`);
}

/** @returns {Promise<{ results: object[], missing?: string }>} or which peer cannot be had, and why */
async function inChild(area, wanted) {
  const child = fork(fileURLToPath(import.meta.url), [`--area=${area}`, ...wanted], {
    execArgv: AREAS[area],
  });
  const measured = { results: [] };
  child.on("message", ({ result, missing }) => {
    if (missing === undefined) measured.results.push(result);
    else measured.missing = missing;
    console.log(missing ?? show(result));
  });
  // The last messages may come after the exit.
  const [[code]] = await Promise.all([once(child, "exit"), once(child, "disconnect")]);
  if (code !== 0) throw new Error(`the rows of ${area} ended with exit code ${code}`);
  return measured;
}

/** Measures the rows of an area, and sends each result to the parent. */
async function measureArea(area, wanted) {
  const { open } = await import(`./rows/${area}.mjs`);
  try {
    const { rows, close } = await open(scratchFolder());
    for (const row of rows.filter(({ name }) => isWanted(name, wanted))) {
      process.send({ result: await row.measure() });
    }
    await close();
  } catch (error) {
    if (!(error instanceof PeerMissing)) throw error;
    process.send({ missing: error.message });
  }
  process.disconnect();
}

function isWanted(name, wanted) {
  return wanted.length === 0 || wanted.some((part) => name.includes(part));
}

const { values, positionals } = parseArgs({
  options: { area: { type: "string" }, save: { type: "boolean", default: false } },
  allowPositionals: true,
});
await (values.area === undefined
  ? main(positionals, values.save)
  : measureArea(values.area, positionals));
