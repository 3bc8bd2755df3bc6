// Leaves the store of a path, in the process itself or in a worker:
//
//     leaver.mjs PLACE PATH DOING LEAVING DELAY
//
// does something, waits DELAY milliseconds once that is under way, and leaves in the way that is
// asked. Each line tells how far it came, and when; the last is written right before it leaves.

import { writeSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
import { Kv, openKv } from "../../../index.mjs";

/** The exit code of those that are asked for one. */
const ASKED = 7;

/** At once, whichever thread it is and whatever comes next. */
function say(what) {
  writeSync(1, `${JSON.stringify({ what, at: Date.now() })}\n`);
}

/** What it does with the store. What comes back is under way. */
const DOING = {
  /** Has an open handle on which nothing is pending. */
  async idle(path) {
    const kv = await openKv(path);
    await kv.set(["k"], 1);
    await kv.get(["k"]);
    for await (const _ of kv.list({ prefix: [] }));
    say("idle");
  },
  /** Has a handle that was never used. */
  unused(path) {
    new Kv(path);
    say("unused");
  },
  /** Has nothing to live for but what is pending on the handle. */
  pending(path) {
    const kv = new Kv(path);
    kv.set(["k"], 1).then(() => say("set"));
    kv.get(["k"]).then(() => say("get"));
    kv.list({ prefix: [] })
      .next()
      .then(() => say("list"));
    kv.sweepExpired().then(() => say("swept"));
  },
  opening(path) {
    openKv(path).then(() => say("open"));
  },
  /** Closes the handle while a commit is pending. */
  closed(path) {
    const kv = new Kv(path);
    kv.set(["k"], 1).then(() => say("set"));
    kv.close();
  },
  /** Commits without end: one number after another, always 64 under way. */
  async committing(path) {
    const kv = await openKv(path);
    let next = 0;
    const commit = async () => {
      for (;;) await kv.set(["k", next], next++);
    };
    for (let i = 0; i < 64; i += 1) commit();
    await kv.get(["k", 63]);
  },
  /** Has commits that wait for a lock which somebody else holds, and for their turn to do so. */
  async waiting(path) {
    for (const kv of [await openKv(path), await openKv(path)]) kv.set(["k"], 1);
  },
};

/** How it leaves; by itself unless it is asked to. */
const LEAVING = {
  exit() {
    say("leaving");
    process.exit(ASKED);
  },
  throw() {
    say("leaving");
    throw new Error("thrown on purpose");
  },
};

async function run() {
  await DOING[doing](path);
  parentPort?.postMessage("under way");
  if (leaving in LEAVING) setTimeout(LEAVING[leaving], Number(delay));
}

/** Runs in a worker, and ends with its code, or terminates it. */
function runInWorker() {
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: process.argv.slice(2) });
  worker.on("error", ({ message }) => console.error(message));
  worker.on("exit", (code) => (process.exitCode = leaving === "terminate" ? ASKED : code));
  if (leaving !== "terminate") return;
  worker.on("message", () => setTimeout(terminate, Number(delay), worker));
}

function terminate(worker) {
  say("leaving");
  worker.terminate();
}

const [place, path, doing, leaving, delay] = workerData ?? process.argv.slice(2);
if (place === "worker" && isMainThread) runInWorker();
else await run();
