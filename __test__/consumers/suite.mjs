/**
 * One suite over the consumer modules of examples/consumers, for every store and every runtime. It
 * imports nothing of a runtime: who runs it hands in the words of a test harness and the store.
 */
import { leaseCases } from "./suite/leases.mjs";
import { alarmCases } from "./suite/alarms.mjs";
import { queueCases } from "./suite/queue.mjs";
import { cronCases } from "./suite/cron.mjs";
import { storeCases } from "./suite/store.mjs";

/**
 * @typedef {object} Store
 * @property kv a handle
 * @property {() => Promise<object>} another a further handle on the same store, or `kv` itself where
 *   a store cannot have two
 * @property {() => unknown} close closes all handles and removes what the store left on disk
 */

/**
 * Registers the suite.
 *
 * @param {object} harness
 * @param {(name: string, body: () => void) => void} harness.describe
 * @param {(name: string, body: () => Promise<void>) => void} harness.it
 * @param harness.assert as of `node:assert/strict`
 * @param {(clock: { now: () => number }) => Promise<Store>} harness.openStore a fresh store that goes
 *   by the clock if it can
 * @param {Abilities} harness.abilities
 *
 * @typedef {object} Abilities what a store lacks is declared, and asserted to be lacking
 * @property {boolean} injectedClock the store expires its rows exactly, by the clock it was given;
 *   without it rows expire by the wall clock, some time late
 * @property {boolean} rivalHandles several handles on the store may commit at once; without it they
 *   fail, and the races are run among users of one handle
 */
export function consumerSuite({ describe, it, assert, openStore, abilities }) {
  /** A case with a store and a clock of its own. */
  function test(name, body) {
    it(name, async () => {
      const clock = manualClock();
      const store = await openStore(clock);
      try {
        await body({ clock, kv: store.kv, another: store.another, rival: rivalOf(store) });
      } finally {
        await store.close();
      }
    });
  }

  /** The handle that a rival of `kv` uses. */
  function rivalOf({ kv, another }) {
    return abilities.rivalHandles ? another : async () => kv;
  }

  const words = { test, assert, abilities };
  describe("leases", () => leaseCases(words));
  describe("alarms", () => alarmCases(words));
  describe("queue", () => queueCases(words));
  describe("cron", () => cronCases(words));
  describe("store", () => storeCases(words));
}

/**
 * A clock that stands still until it is told. It starts decades ago, so a store that sweeps by the
 * wall clock removes rows that are live by this one, and is found out.
 */
function manualClock() {
  let now = 9_000;
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
  };
}
