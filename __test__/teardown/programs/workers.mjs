// Opens a file, and has numbered workers do the same while it stays open:
//
//     workers.mjs PATH IN_SEQUENCE IN_PARALLEL TERMINATED
//
// so many of them one after another, so many at once, and so many that are terminated amid commits.
// One line tells what is there.

import process from "node:process";
import { fileURLToPath } from "node:url";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
import { openKv } from "../../../index.mjs";

/** Starts a worker; gives its exit code. `onReady` is called once it has committed. */
function work(data, onReady = () => {}) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(fileURLToPath(import.meta.url), { workerData: data });
    worker.on("message", () => onReady(worker));
    worker.on("error", reject);
    worker.on("exit", resolve);
  });
}

async function main(path, inSequence, inParallel, terminated) {
  const kv = await openKv(path);
  const codes = [];
  let n = 0;
  for (; n < inSequence; n += 1) codes.push(await work({ path, n }));
  const parallel = [];
  for (; n < inSequence + inParallel; n += 1) parallel.push(work({ path, n }));
  codes.push(...(await Promise.all(parallel)));
  for (; n < inSequence + inParallel + terminated; n += 1) {
    await work({ path, n, endless: true }, (worker) => worker.terminate());
    await kv.set(["main", n], n);
  }
  const numbers = async (name) => {
    const found = [];
    for await (const { value } of kv.list({ prefix: [name] })) found.push(value);
    return found;
  };
  const report = { codes, workers: await numbers("worker"), main: await numbers("main") };
  console.log(JSON.stringify(report));
}

/** Every other one leaves its handle open. */
async function worker({ path, n, endless }) {
  const kv = await openKv(path);
  await kv.set(["worker", n], n);
  parentPort.postMessage("ready");
  while (endless) await kv.set(["busy"], n);
  if (n % 2 === 0) kv.close();
}

const [path, ...counts] = process.argv.slice(2);
if (isMainThread) await main(path, ...counts.map(Number));
else await worker(workerData);
