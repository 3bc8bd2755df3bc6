import path from "node:path";
import { openKv } from "../../index.mjs";
import { getInTurn, listAll, setAtOnce } from "../deno-api.mjs";
import {
  AT_ONCE,
  AT_RANDOM,
  ENTRIES,
  IN_KEY_ORDER,
  PREFIX,
  each,
  expectListed,
  expectValue,
  keyOf,
  load,
  valueOf,
} from "../entries.mjs";
import { comparison, spaced } from "../measure.mjs";
import { loadPeer } from "../peers.mjs";

const SETS = AT_ONCE * 50;

/**
 * The embedded file against `lmdb`, the fastest embedded store for Node: memory-mapped, without SQL,
 * its reads return at once where ours are awaited. A put counts when it has been flushed to disk.
 *
 * @param {string} folder scratch
 */
export async function open(folder) {
  const { open: openPeer } = await loadPeer("lmdb");
  const kv = await openKv(path.join(folder, "fencekv.db"));
  await load(kv);
  const db = openPeer({ path: path.join(folder, "lmdb"), separateFlushed: true });
  await putAtOnce(db, IN_KEY_ORDER, ENTRIES);
  const row = (name, atLeast, ops, ours, theirs) =>
    comparison({ name, peer: "lmdb", atLeast, ops, ours, theirs });
  const setRow = (name, order) =>
    row(
      name,
      0.6,
      SETS,
      () => setAtOnce(kv, order, SETS),
      () => putAtOnce(db, order, SETS),
    );
  return {
    rows: [
      row(
        "get, one after another",
        0.25,
        ENTRIES,
        () => getInTurn(kv),
        () => lmdbGetInTurn(db),
      ),
      setRow(`durable set, ${AT_ONCE} at once`, IN_KEY_ORDER),
      setRow(`durable set, ${AT_ONCE} at once, at random`, AT_RANDOM),
      row(
        `list of ${spaced(ENTRIES)}`,
        0.4,
        ENTRIES,
        () => listAll(kv),
        () => lmdbListAll(db),
      ),
    ],
    async close() {
      await kv[Symbol.asyncDispose]();
      await db.close();
    },
  };
}

function lmdbGetInTurn(db) {
  for (const i of AT_RANDOM) expectValue(db.get(keyOf(i)), i);
}

async function putAtOnce(db, order, count) {
  await each(order, count, AT_ONCE, async (i) => {
    await db.put(keyOf(i), valueOf(i)).flushed;
  });
}

function lmdbListAll(db) {
  let seen = 0;
  for (const { value } of db.getRange({ start: PREFIX, end: [...PREFIX, Infinity] })) {
    expectValue(value, seen);
    seen += 1;
  }
  expectListed(seen);
}
