import path from "node:path";
import { openKv } from "../../index.mjs";
import { timerDelayP99 } from "../delay.mjs";
import { getInTurn, listAll } from "../deno-api.mjs";
import { ENTRIES, keyOf, load, valueOf } from "../entries.mjs";
import { bound, spaced } from "../measure.mjs";

const WRITERS = 64;
const SETS_OF_A_WRITER = 600;
const GET_PASSES = 20;
const LISTED = 1_000_000;

/**
 * How long a timer waits for its turn beside the work of a store on a file.
 *
 * @param {string} folder scratch
 */
export async function open(folder) {
  const kv = await openKv(path.join(folder, "fencekv.db"));
  await load(kv);
  const row = (name, work, prepare) =>
    bound({
      name: `event-loop delay p99, ${name}`,
      unit: "ms",
      atMost: 10,
      prepare,
      figure: () => timerDelayP99(work),
    });
  return {
    rows: [
      row(`${WRITERS} durable writers`, () => writeAll(kv)),
      row("loop of awaited gets", () => getPasses(kv)),
      row(
        `list of ${spaced(LISTED)}`,
        () => listAll(kv, LISTED),
        () => load(kv, ENTRIES, LISTED),
      ),
    ],
    close: () => kv[Symbol.asyncDispose](),
  };
}

async function writeAll(kv) {
  const writer = async (w) => {
    for (let n = 0; n < SETS_OF_A_WRITER; n += 1) {
      const i = (w + n * WRITERS) % ENTRIES;
      await kv.set(keyOf(i), valueOf(i));
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, w) => writer(w)));
}

async function getPasses(kv) {
  for (let pass = 0; pass < GET_PASSES; pass += 1) await getInTurn(kv);
}
