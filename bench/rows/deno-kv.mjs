import path from "node:path";
import { openKv } from "../../index.mjs";
import { getAtOnce, getInTurn, listAll } from "../deno-api.mjs";
import {
  AT_ONCE,
  AT_RANDOM,
  ENTRIES,
  IN_KEY_ORDER,
  PREFIX,
  each,
  keyOf,
  load,
  valueOf,
} from "../entries.mjs";
import { comparison, spaced } from "../measure.mjs";
import { loadPeer } from "../peers.mjs";

const COMMITS = 640;
const COMMITS_AT_ONCE = AT_ONCE * 50;

/**
 * The embedded file against `@deno/kv`: both in WAL with `synchronous=FULL`, which is the default of
 * both (one fsync a commit), and with one API, so that one piece of code drives either.
 *
 * @param {string} folder scratch
 */
export async function open(folder) {
  const { openKv: openPeer } = await loadPeer("@deno/kv");
  const ours = await openStore(openKv, path.join(folder, "fencekv.db"));
  const theirs = await openStore(openPeer, path.join(folder, "deno-kv.db"));
  const row = (name, atLeast, ops, work) =>
    comparison({
      name,
      peer: "@deno/kv",
      atLeast,
      ops,
      ours: () => work(ours),
      theirs: () => work(theirs),
    });
  // Writes in key order meet few pages of the file, at random nearly one each: both happen.
  const writeRows = (name, one, atLeastAtOnce) => [
    row(`${name}, one after another`, 1.3, COMMITS, (store) =>
      each(IN_KEY_ORDER, COMMITS, 1, one(store)),
    ),
    row(`${name}, ${AT_ONCE} at once`, atLeastAtOnce, COMMITS_AT_ONCE, (store) =>
      each(IN_KEY_ORDER, COMMITS_AT_ONCE, AT_ONCE, one(store)),
    ),
    row(`${name}, ${AT_ONCE} at once, at random`, atLeastAtOnce, COMMITS_AT_ONCE, (store) =>
      each(AT_RANDOM, COMMITS_AT_ONCE, AT_ONCE, one(store)),
    ),
  ];
  return {
    rows: [
      row("get, one after another", 20, ENTRIES, ({ kv }) => getInTurn(kv)),
      row(`get, ${AT_ONCE} at once`, 6, ENTRIES, ({ kv }) => getAtOnce(kv)),
      ...writeRows("durable set", setOne, 14),
      ...writeRows("durable check-and-set", checkAndSetOne, 12),
      row(`list of ${spaced(ENTRIES)}`, 3, ENTRIES, ({ kv }) => listAll(kv)),
    ],
    async close() {
      await ours.kv[Symbol.asyncDispose]();
      theirs.kv.close();
    },
  };
}

/** A loaded store, and each key's versionstamp, which a check-and-set asserts without a read. */
async function openStore(opener, file) {
  const kv = await opener(file);
  await load(kv);
  const stamps = [];
  for await (const { versionstamp } of kv.list({ prefix: PREFIX })) stamps.push(versionstamp);
  return { kv, stamps };
}

function setOne({ kv, stamps }) {
  return async (i) => {
    stamps[i] = (await kv.set(keyOf(i), valueOf(i))).versionstamp;
  };
}

function checkAndSetOne({ kv, stamps }) {
  return async (i) => {
    const key = keyOf(i);
    const check = { key, versionstamp: stamps[i] };
    const outcome = await kv.atomic().check(check).set(key, valueOf(i)).commit();
    if (!outcome.ok) throw new Error(`the check of entry ${i} did not hold`);
    stamps[i] = outcome.versionstamp;
  };
}
