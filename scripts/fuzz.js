"use strict";

// npm run fuzz [-- [--minutes N] target...]: fuzzes the targets named, or all, one after another,
// 10 minutes each unless told otherwise, and prints what came of it. Exit code 1 when one crashed.

const { spawn } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const readline = require("node:readline");
const { parseArgs } = require("node:util");
const { ROOT, run, say } = require("./child.js");
const { setUp } = require("./setup.js");

const FUZZ = path.join(ROOT, "fuzz");
const CARGO_FUZZ = "0.13.2";
/** Safe Rust needs no sanitizer, and without one the stable compiler will do. */
const NO_SANITIZER = ["--sanitizer", "none"];

/** Seconds that one input may take, on however busy a machine, and MiB that a fuzzer may hold. */
const SLOWEST = 30;
const MOST_MEMORY = 1024;

const RUST_TARGETS = namesIn(path.join(FUZZ, "fuzz_targets"));
const JS_TARGETS = namesIn(path.join(ROOT, "__test__/fuzz/targets"));
const JS_PROGRAM = path.join(ROOT, "__test__/fuzz/programs/fuzz.js");

async function main() {
  const { targets, minutes } = readArguments();
  const isRust = (target) => RUST_TARGETS.includes(target);
  if (targets.some(isRust)) await buildRust();
  if (!targets.every(isRust)) await setUp(["__test__/deno"]);

  const results = {};
  for (const target of targets) {
    say("fuzz", `${target} for ${minutes} minutes`);
    const fuzz = isRust(target) ? fuzzRust : fuzzJs;
    results[target] = await fuzz(target, Math.ceil(minutes * 60));
  }
  console.table(results);
  return Object.values(results).some(({ crashes }) => crashes > 0) ? 1 : 0;
}

/** The names of a folder's files, without extension. */
function namesIn(folder) {
  return fs.readdirSync(folder).map((file) => path.parse(file).name);
}

function readArguments() {
  const { values, positionals } = parseArgs({
    options: { minutes: { type: "string", default: "10" } },
    allowPositionals: true,
  });
  const known = [...RUST_TARGETS, ...JS_TARGETS];
  const minutes = Number(values.minutes);
  if (!(minutes > 0) || !positionals.every((target) => known.includes(target))) {
    throw new Error(`usage: npm run fuzz [-- [--minutes N] ${known.join("|")}...]`);
  }
  return { minutes, targets: positionals.length > 0 ? positionals : known };
}

async function buildRust() {
  if ((await run("cargo", ["fuzz", "--version"])) !== 0) {
    const install = ["install", "cargo-fuzz", "--locked", "--version", CARGO_FUZZ];
    if ((await run("cargo", install)) !== 0) throw new Error("cargo-fuzz could not be installed");
  }
  const code = await run("cargo", ["fuzz", "build", ...NO_SANITIZER], { cwd: FUZZ });
  if (code !== 0) throw new Error(`the targets could not be built (exit code ${code})`);
}

/** What libFuzzer finds new goes under `target/`, so that the corpus stays small. */
async function fuzzRust(target, seconds) {
  const found = path.join("target/corpus", target);
  fs.mkdirSync(path.join(FUZZ, found), { recursive: true });
  const command = ["fuzz", "run", ...NO_SANITIZER, target, found, path.join("corpus", target)];
  const limits = [`-max_total_time=${seconds}`, `-timeout=${SLOWEST}`];
  const flags = [...limits, `-rss_limit_mb=${MOST_MEMORY}`, "-print_final_stats=1"];
  const stats = {};
  const output = [];
  const failure = await watch("cargo", [...command, "--", ...flags], { cwd: FUZZ }, (line) => {
    output.push(line);
    // One line for each input kept; only the end matters.
    if (output.length > 100) output.shift();
    const [, name, count] = /^stat::(\w+):\s+(\d+)/.exec(line) ?? [];
    if (name !== undefined) stats[name] = Number(count);
    stats.coverage = Number(/\bcov: (\d+)/.exec(line)?.[1] ?? stats.coverage);
  });
  if (failure !== undefined) console.error([...output, `${target}: ${failure}`].join("\n"));
  return {
    runs: stats.number_of_executed_units,
    perSecond: stats.average_exec_per_sec,
    newUnits: stats.new_units_added,
    coverage: stats.coverage,
    peakMiB: stats.peak_rss_mb,
    crashes: failure === undefined ? 0 : 1,
  };
}

/** The program keeps the input that it is trying in a file, and says each second how far it is. */
async function fuzzJs(target, seconds) {
  const artifacts = path.join(FUZZ, "artifacts", target);
  fs.mkdirSync(artifacts, { recursive: true });
  const trying = path.join(artifacts, "trying");
  const memory = `--max-old-space-size=${MOST_MEMORY}`;
  const command = [memory, JS_PROGRAM, target, trying, String(seconds)];
  let stats = { runs: 0, outcomes: {} };
  const failure = await watch(process.execPath, command, { silence: SLOWEST }, (line) => {
    if (line.startsWith("{")) stats = JSON.parse(line);
    else console.error(line);
  });
  if (failure !== undefined) {
    const crash = path.join(artifacts, `crash-${Date.now()}`);
    if (fs.existsSync(trying)) fs.renameSync(trying, crash);
    console.error(`${target}: ${failure}; to replay it:\nnode ${JS_PROGRAM} ${target} ${crash}`);
  }
  const { outcomes, ...counts } = stats;
  say("fuzz", `${target}: ${JSON.stringify(outcomes)}`);
  const perSecond = Math.round(counts.runs / seconds);
  return { ...counts, perSecond, crashes: failure === undefined ? 0 : 1 };
}

/**
 * Runs a command and hands on each line that it prints.
 *
 * @param {{ cwd?: string, silence?: number }} options after so many seconds without a line it is ended
 * @returns {Promise<string | undefined>} how it failed, if it did
 */
function watch(command, args, { cwd = ROOT, silence }, onLine) {
  const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let isSilent = false;
  const end = () => {
    isSilent = true;
    child.kill("SIGKILL");
  };
  const timer = silence === undefined ? undefined : setTimeout(end, silence * 1000);
  for (const input of [child.stdout, child.stderr]) {
    readline.createInterface({ input }).on("line", (line) => {
      timer?.refresh();
      onLine(line);
    });
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (isSilent) resolve(`nothing was heard of it for ${silence} s`);
      else resolve(code === 0 ? undefined : `it ended by ${signal ?? `exit code ${code}`}`);
    });
  });
}

main().then(
  (code) => (process.exitCode = code),
  (error) => {
    console.error(error.message);
    process.exitCode = 1;
  },
);
