/**
 * Three hosts share one file, one of them is killed in the middle, and the rows they left are
 * judged: npm run demo. Then real Deno reads the same file, and a file of Deno's is read here.
 *
 * FENCEKV_SEED=<number> has the hosts roll the same dice again.
 */
import { fork } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openKv } from "fencekv";
import { denoIsInstalled, denoReads, denoWrites } from "./interop.mjs";
import { readRows, rowsUnder } from "./records.mjs";
import { heldBy, verify } from "./verify.mjs";

const HOST = fileURLToPath(new URL("host.mjs", import.meta.url));
const WORK_MS = 3_000; // before the kill, and again after it
const DEADLINE_MS = 50_000;
const FAULTS_SHOWN = 20;

const started = Date.now();
const seed = Number(process.env.FENCEKV_SEED ?? randomInt(2 ** 31));
const hosts = [];
const errors = [];

/** Ends all waiting, with its reason, when the demo takes too long or is interrupted. */
const end = new AbortController();
const deadline = setTimeout(() => {
  end.abort(new Error(`not done after ${DEADLINE_MS / 1000} s, waiting for ${awaited}`));
}, DEADLINE_MS);
process.once("SIGINT", () => end.abort(new Error("interrupted")));
let awaited = "the store";

function say(text) {
  console.log(`${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s  ${text}`);
}

const pause = (ms) => sleep(ms, undefined, { signal: end.signal });

async function until(what, isTrue) {
  awaited = what;
  while (!(await isTrue())) await pause(50);
}

function startHost(name, file, seed) {
  const child = fork(HOST, [file, name, String(seed)]);
  const host = { name, child, ready: false, ended: once(child, "exit") };
  child.on("message", ({ ready, error }) => {
    if (ready) host.ready = true;
    if (error) errors.push(`${name}: ${error}`);
  });
  hosts.push(host);
  return host;
}

const isRunning = ({ child }) => child.exitCode === null && child.signalCode === null;

function tellAll(message) {
  for (const { child } of hosts.filter(isRunning)) child.send(message);
}

/** Prints how far the hosts are, once a second, for `ms`. */
async function watch(kv, ms) {
  for (const last = Date.now() + ms; Date.now() < last;) {
    await pause(1_000);
    const rows = await readRows(kv);
    const count = (kind) => String(rows.get(kind)?.length ?? 0).padStart(4);
    say(
      `sent ${count("sent")}  delivered ${count("delivered")}  done ${count("done")}  ` +
        `alarms ${count("alarm fired")}  ticks ${count("ticked")}  steps ${count("step")}`,
    );
  }
}

/**
 * Kills a host while it holds messages and a lease: it is stopped, looked at, and killed or let go.
 *
 * What it held is what was seen while it stood still. A look after its death would be too late:
 * the others may have taken over by then.
 */
async function killInTheMiddle({ name, child, ended }, kv) {
  let held;
  await until(`${name} to hold a message and a lease`, async () => {
    child.kill("SIGSTOP");
    await pause(20);
    held = heldBy(name, await readRows(kv));
    const busy = held.messages.length > 0 && held.shards.length > 0;
    child.kill(busy ? "SIGKILL" : "SIGCONT");
    return busy;
  });
  await ended;
  say(
    `${name} killed with SIGKILL, holding messages: ${held.messages.length}, leases: ${held.shards}`,
  );
  return held;
}

/** The hosts produce no more; waits until all that they owe is done. */
async function drain(kv, killed) {
  tellAll({ drain: true });
  await until("the queue and the alarms to run dry", async () => {
    const rows = await readRows(kv);
    const owed =
      rowsUnder(rows, "queue", "message").length + rowsUnder(rows, "alarms", "alarm").length;
    const left = (rows.get("shard") ?? []).filter(({ value }) => value.openedBy === killed.host);
    return owed === 0 && left.length === 0;
  });
}

async function runHosts(file) {
  const kv = await openKv(file);
  ["h1", "h2", "h3"].forEach((name, i) => startHost(name, file, seed + i));
  await until("the hosts to start", () => hosts.every(({ ready }) => ready));
  say(`${hosts.map(({ name, child }) => `${name} (pid ${child.pid})`).join(", ")} share one file`);

  const since = Date.now();
  tellAll({ start: since });
  await watch(kv, WORK_MS);
  const killed = await killInTheMiddle(hosts[1], kv);
  await watch(kv, WORK_MS);
  await drain(kv, killed);
  const stopped = Date.now();
  tellAll({ stop: true });
  await until("the hosts to end", () => !hosts.some(isRunning));
  say("all messages and alarms are dealt with; the hosts have ended");

  for (const { name, child } of hosts) {
    const fine = name === killed.host ? child.signalCode === "SIGKILL" : child.exitCode === 0;
    if (!fine) errors.push(`${name} ended with ${child.signalCode ?? child.exitCode}`);
  }
  await kv.sweepExpired();
  const rows = await readRows(kv);
  await kv.close();
  return { rows, ...verify(rows, { killed, since, until: stopped }) };
}

async function runDeno(file, otherFile, rows) {
  if (!denoIsInstalled()) {
    console.log(
      "\ndeno is not installed (npm ci in __test__/deno): not shown that it reads the file",
    );
    return [];
  }
  const reads = await denoReads(file, rows, end.signal);
  const seen = Object.entries(reads.seen).map(([kind, count]) => `${kind} ${count}`);
  const agree = reads.faults.length === 0 ? "and agrees" : "AND DIFFERS";
  console.log(`\nreal Deno lists the same file ${agree} on the rows by prefix:`);
  for (let i = 0; i < seen.length; i += 6) console.log(`  ${seen.slice(i, i + 6).join(", ")}`);
  const writes = await denoWrites(otherFile, end.signal);
  console.log(`a file that Deno wrote, listed here:  ${writes.count} entries, values compared`);
  return [...reads.faults, ...writes.faults];
}

function printTable(lines) {
  console.log();
  for (const [what, count, remark] of lines) {
    console.log(`  ${what.padEnd(28)}${String(count).padStart(6)}   ${remark}`);
  }
}

async function demo(folder) {
  console.log(`fencekv demo, seed ${seed}: three hosts on one file, one is killed in the middle\n`);
  const file = path.join(folder, "demo.db");
  const { rows, lines, faults } = await runHosts(file);
  printTable([...lines, ["errors", errors.length, "in any host"]]);
  faults.push(...errors, ...(await runDeno(file, path.join(folder, "deno.db"), rows)));
  return faults;
}

const folder = await mkdtemp(path.join(tmpdir(), "fencekv-demo-"));
const ended = once(end.signal, "abort").then(() => Promise.reject(end.signal.reason));
const faults = await Promise.race([demo(folder), ended]).catch((error) => [
  ...errors,
  end.signal.aborted ? end.signal.reason.message : error.stack,
]);
clearTimeout(deadline);
for (const { child } of hosts.filter(isRunning)) child.kill("SIGKILL");
await rm(folder, { recursive: true, force: true });

if (faults.length > 0) {
  const shown = faults.slice(0, FAULTS_SHOWN).join("\n  ");
  console.error(`\nthe demo went wrong in ${faults.length} places (seed ${seed}):\n  ${shown}`);
  process.exit(1); // not waiting for what may hang
}
const seconds = ((Date.now() - started) / 1000).toFixed(1);
console.log(`\nevery row accounted for, in ${seconds} s`);
