// The other side of an exchange, in a process of its own: Deno's own KV on Deno, `@deno/kv` on Node.
//
//     peer.mjs FILE
//
// Each line of input is `[command, ...arguments]`, each answer a line.

import { createRequire } from "node:module";
import process from "node:process";
import { createInterface } from "node:readline";
import { compareAll, writeAll } from "./exchange.mjs";

const fromDeno = createRequire(new URL("../deno/package.json", import.meta.url));
const api = globalThis.Deno ?? fromDeno("@deno/kv");
const kv = await api.openKv(process.argv[2]);

const COMMANDS = {
  write: (side) => writeAll(kv, api, side),
  compare: (side) => compareAll(kv, api, side),
  set: (key, value, options) => kv.set(key, value, options),
  get: (key) => kv.get(key),
  takeOver: async (key, holder) => {
    const { versionstamp } = await kv.get(key);
    return kv.atomic().check({ key, versionstamp }).set(key, holder).commit();
  },
  race: async (keys, holder) => {
    const take = (key) => kv.atomic().check({ key, versionstamp: null }).set(key, holder).commit();
    // Some reject because the database is locked, and have written nothing.
    const results = await Promise.allSettled(keys.map(take));
    return keys.filter((_, i) => results[i].value?.ok);
  },
  sum: (key, n) => kv.atomic().sum(key, BigInt(n)).commit(),
  enqueue: (message, options) => kv.enqueue(message, options),
};

console.log(JSON.stringify("open"));
for await (const line of createInterface({ input: process.stdin })) {
  const [command, ...args] = JSON.parse(line);
  const answer = await COMMANDS[command](...args);
  console.log(JSON.stringify(answer ?? null, (_, it) => (typeof it === "bigint" ? `${it}n` : it)));
}
kv.close();
