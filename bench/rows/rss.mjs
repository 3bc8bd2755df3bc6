import path from "node:path";
import { openKv } from "../../index.mjs";
import { getAtOnce, setAtOnce } from "../deno-api.mjs";
import { AT_RANDOM, ENTRIES, load } from "../entries.mjs";
import { bound, spaced } from "../measure.mjs";

const WARM_UP = 100_000;
const OPERATIONS = 1_000_000;

/**
 * Whether memory stays flat, however much is done.
 *
 * @param {string} folder scratch
 */
export async function open(folder) {
  const kv = await openKv(path.join(folder, "fencekv.db"));
  await load(kv);
  const growth = bound({
    name: `RSS growth over ${spaced(OPERATIONS)} operations`,
    unit: "MB",
    atMost: 20,
    rounds: 1,
    async figure() {
      await operate(kv, WARM_UP);
      const before = rssAfterCollection();
      await operate(kv, OPERATIONS);
      return (rssAfterCollection() - before) / 1e6;
    },
  });
  return { rows: [growth], close: () => kv[Symbol.asyncDispose]() };
}

/** `count` operations, half of them gets and half durable sets. */
async function operate(kv, count) {
  for (let done = 0; done < count; done += 2 * ENTRIES) {
    await getAtOnce(kv);
    await setAtOnce(kv, AT_RANDOM, ENTRIES);
  }
}

function rssAfterCollection() {
  // Twice, since what the first finds unreachable may have held more by a finalizer.
  global.gc();
  global.gc();
  return process.memoryUsage.rss();
}
