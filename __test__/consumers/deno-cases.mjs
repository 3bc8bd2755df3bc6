/**
 * The consumer suite as it runs on real `Deno.Kv`, once on a file and once in memory: a list of
 * cases, which Node may read too, to know what Deno has to report.
 */
import assert from "node:assert/strict";
import { consumerSuite } from "./suite.mjs";

const stores = {
  "a file": {
    abilities: { injectedClock: false, rivalHandles: false },
    openStore: async () => {
      const folder = await Deno.makeTempDir({ prefix: "fencekv-consumers-" });
      const handles = [];
      const open = async () => {
        handles.push(await Deno.openKv(`${folder}/suite.db`));
        return handles.at(-1);
      };
      const close = async () => {
        for (const handle of handles) handle.close();
        await Deno.remove(folder, { recursive: true });
      };
      return { kv: await open(), another: open, close };
    },
  },
  memory: {
    abilities: { injectedClock: false, rivalHandles: true },
    openStore: async () => {
      const kv = await Deno.openKv(":memory:");
      return { kv, another: async () => kv, close: () => kv.close() };
    },
  },
};

/** @returns {{ name: string, body: () => Promise<void> }[]} in the order in which they run */
export function denoCases() {
  const cases = [];
  for (const [where, store] of Object.entries(stores)) {
    const path = [where];
    consumerSuite({
      describe: (name, body) => {
        path.push(name);
        body();
        path.pop();
      },
      it: (name, body) => cases.push({ name: [...path, name].join(" > "), body }),
      assert,
      ...store,
    });
  }
  return cases;
}
