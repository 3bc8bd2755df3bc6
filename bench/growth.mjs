// npm run bench:growth [-- [--to keys] [--save]]: what the same work costs in a store that grows to
// 10 million keys (or to `--to`), beside one that stays at 10 thousand. The largest takes some minutes
// and 2 GB of disk for temporary files. `--save` writes the figures and their plot to docs/bench.

import path from "node:path";
import { parseArgs } from "node:util";
import { dice } from "../__test__/support/dice.js";
import { openKv } from "../index.mjs";
import { PREFIX, expectValue, keyOf, load, loadUnder } from "./entries.mjs";
import { median, timed } from "./measure.mjs";
import { plotGrowth } from "./plot/growth.mjs";
import { line, write } from "./report.mjs";
import { scratchFolder } from "./scratch.mjs";

const SMALL = 10_000;
const SIZES = [100_000, 1_000_000, 10_000_000];
// Odd, as in measure.mjs.
const ROUNDS = 5;

const GETS = 10_000;
const SCANS = 20;
const SCANNED = 1000;
const SWEPT = 1000;
const EMPTY_LISTS = 500;

const NOW = 1_788_000_000_000;
const LATER = NOW + 1;

/**
 * What is measured at each size. `round` gives microseconds an operation; `atMost` bounds the ratio
 * of the large store's time to the small one's, where a bound is set.
 */
const WORK = [
  { name: "get, at random, warm", atMost: 2, round: getAtRandom },
  { name: `list of ${SCANNED} from a random key`, round: scan },
  { name: `sweep of ${SWEPT} expired, beside the rest`, round: sweep },
  { name: "list of nothing, beside a tenth unswept", prepare: leaveUnswept, round: listNothing },
];

async function main(to, save) {
  const sizes = SIZES.filter((size) => size <= to);
  if (sizes.length === 0) throw new Error(`--to must be at least ${SIZES[0]}`);
  if (save && sizes.length < SIZES.length) throw new Error("only a run of all sizes can be saved");
  const folder = scratchFolder();
  const small = await openStore(path.join(folder, "small.db"));
  const large = await openStore(path.join(folder, "large.db"));
  await grow(small, SMALL);
  const rows = WORK.map(({ name, atMost }) => ({ name, atMost, results: [] }));
  console.log(line("", `${SMALL} keys`, "more keys", "ratio", "held to", ""));
  for (const size of sizes) {
    const us = await timed(() => grow(large, size));
    console.log(`\n${size} keys, the last of them written in ${(us / 1e6).toFixed(1)} s`);
    for (const [index, work] of WORK.entries()) {
      const result = { size, ...(await measure(small, large, work)) };
      rows[index].results.push(result);
      console.log(show(work, result));
    }
    for (const store of [small, large]) await clear(store);
  }
  for (const { kv } of [small, large]) await kv[Symbol.asyncDispose]();
  const where = write("growth", { small: SMALL, rows }, plotGrowth(SMALL, rows), save);
  console.log(`\nmedians of ${ROUNDS} rounds; figures: ${where}`);
}

/** A store whose clock stands still until it is put forward. */
async function openStore(file) {
  const clock = { now: NOW };
  return { kv: await openKv(file, { now: () => clock.now }), clock, size: 0 };
}

async function grow(store, size) {
  await load(store.kv, store.size, size);
  store.size = size;
}

/** Both stores in turn, round by round, after one round to warm up; the medians, and all rounds. */
async function measure(small, large, { prepare, round }) {
  const rounds = { small: [], large: [] };
  for (const store of [small, large]) {
    await prepare?.(store);
    await round(store);
  }
  while (rounds.small.length < ROUNDS) {
    rounds.small.push(await round(small));
    rounds.large.push(await round(large));
  }
  const ratio = median(rounds.large.map((us, index) => us / rounds.small[index]));
  return { smallUs: median(rounds.small), largeUs: median(rounds.large), ratio, rounds };
}

async function getAtRandom({ kv, size }) {
  const below = dice(size);
  const us = await timed(async () => {
    for (let n = 0; n < GETS; n += 1) {
      const i = below(size);
      expectValue((await kv.get(keyOf(i))).value, i);
    }
  });
  return us / GETS;
}

async function scan({ kv, size }) {
  const below = dice(size);
  const us = await timed(async () => {
    for (let n = 0; n < SCANS; n += 1) {
      let next = below(size - SCANNED);
      const end = next + SCANNED;
      const selector = { prefix: PREFIX, start: keyOf(next) };
      for await (const { value } of kv.list(selector, { limit: SCANNED })) {
        expectValue(value, next);
        next += 1;
      }
      if (next !== end) throw new Error(`a list of ${SCANNED} ended ${end - next} short`);
    }
  });
  return us / SCANS;
}

async function sweep({ kv }) {
  await loadUnder(kv, expiringKeyOf, 0, SWEPT, { expireIn: LATER - NOW });
  let swept;
  const us = await timed(async () => {
    swept = await kv.sweepExpired(LATER);
  });
  if (swept !== SWEPT) throw new Error(`${swept} of ${SWEPT} expired entries were swept`);
  return us;
}

/** Expired entries, a tenth of the store, right behind the prefix that has none. */
async function leaveUnswept({ kv, clock, size }) {
  await loadUnder(kv, expiringKeyOf, 0, size / 10, { expireIn: LATER - NOW });
  clock.now = LATER;
}

async function listNothing({ kv }) {
  const us = await timed(async () => {
    for (let n = 0; n < EMPTY_LISTS; n += 1) {
      const { done } = await kv.list({ prefix: ["empty"] }).next();
      if (!done) throw new Error("an empty prefix has an entry");
    }
  });
  return us / EMPTY_LISTS;
}

/** Leaves the store as it was before the work of a size. */
async function clear({ kv, clock }) {
  await kv.sweepExpired(LATER);
  clock.now = NOW;
}

function expiringKeyOf(i) {
  return ["expiring", i];
}

function show({ name, atMost }, { smallUs, largeUs, ratio }) {
  const held = atMost === undefined ? "" : `<= ${atMost}x`;
  const mark = atMost === undefined ? "" : ratio <= atMost ? "ok" : "SHORT";
  const times = [smallUs, largeUs].map((us) => `${us.toFixed(2)} us`);
  return line(name, ...times, `${ratio.toFixed(2)}x`, held, mark);
}

const { values } = parseArgs({
  options: {
    to: { type: "string", default: String(SIZES.at(-1)) },
    save: { type: "boolean", default: false },
  },
});
await main(Number(values.to), values.save);
