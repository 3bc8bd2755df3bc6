import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { isInMemory } from "./scratch.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** What stands in docs/ was measured, by a run that was told `--save`. */
const SAVED = "docs/bench";
const UNSAVED = "bench/results";

/** Whether a row reached what it is held to. */
export function isMet(result) {
  return isCompared(result) ? result.ratio >= result.atLeast : result.figure <= result.atMost;
}

/** Whether a result has a peer; else it is a figure under a bound. */
export function isCompared(result) {
  return "peer" in result;
}

/** The head of the table. */
export function head() {
  return line("work", "fencekv", "peer", "ratio", "held to", "");
}

/** A row of the table: medians, in microseconds an operation where there is a peer. */
export function show(result) {
  const mark = isMet(result) ? "ok" : "SHORT";
  if (!isCompared(result)) {
    const { name, unit, figure, atMost } = result;
    return line(name, `${figure.toFixed(2)} ${unit}`, "", "", `<= ${atMost} ${unit}`, mark);
  }
  const { name, peer, ours, theirs, ratio, atLeast } = result;
  return line(
    `${name}, vs ${peer}`,
    `${ours.toFixed(2)} us`,
    `${theirs.toFixed(2)} us`,
    `${ratio.toFixed(2)}x`,
    `>= ${atLeast}x`,
    mark,
  );
}

/** Columns of a table; the first says what is done. */
export function line(work, ...columns) {
  return work.padEnd(59) + columns.map((text) => text.padStart(12)).join("");
}

/**
 * Writes a run's figures, and the plot of them beside.
 *
 * @param {string} name of the two files, without extension
 * @param {object} figures
 * @param {string} plot SVG
 * @param {boolean} saved whether it goes to docs/, to be shown, rather than out of git's sight
 * @returns {string} where the figures are, relative to the root
 */
export function write(name, figures, plot, saved) {
  const folder = saved ? SAVED : UNSAVED;
  fs.mkdirSync(path.join(ROOT, folder), { recursive: true });
  const json = JSON.stringify({ ...machine(), ...figures }, (_, value) => rounded(value), 2);
  fs.writeFileSync(path.join(ROOT, folder, `${name}.json`), `${json}\n`);
  fs.writeFileSync(path.join(ROOT, folder, `${name}.svg`), plot);
  return `${folder}/${name}.json`;
}

function rounded(value) {
  return typeof value === "number" ? Number(value.toFixed(3)) : value;
}

function machine() {
  return {
    at: new Date().toISOString(),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cpu: os.cpus()[0].model,
    cores: os.cpus().length,
    memoryGb: Math.round(os.totalmem() / 1e9),
    onDisk: !isInMemory(),
    versions: { fencekv: packageOf(".").version, ...packageOf("bench").dependencies },
  };
}

/** What a plot says of where its figures are from. */
export function machineInWords() {
  const { at, node, platform, cpu, cores } = machine();
  return `${cpu}, ${cores} cores, ${platform}, Node ${node}, ${at.slice(0, 10)}`;
}

function packageOf(folder) {
  return JSON.parse(fs.readFileSync(path.join(ROOT, folder, "package.json"), "utf8"));
}
