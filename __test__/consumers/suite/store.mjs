import { createLeases } from "../../../examples/consumers/leases.mjs";

/**
 * Where the stores differ and the modules do not show it: each store says what it is able to do, and
 * is held to that, either way.
 */
export function storeCases({ test, assert, abilities }) {
  const TTL_MS = 600_000;

  async function heldThenLapsed(kv, clock) {
    const leases = createLeases({ kv, now: clock.now });
    await leases.acquire("a", "ann", TTL_MS);
    clock.advance(TTL_MS - 1);
    const held = await kv.get(["leases", "a"]);
    assert.equal(held.value.holder, "ann");
    clock.advance(1);
  }

  if (abilities.injectedClock) {
    test("an expired row is absent at once, to reads and to checks", async ({ kv, clock }) => {
      await heldThenLapsed(kv, clock);
      assert.equal((await kv.get(["leases", "a"])).versionstamp, null);
      for await (const { key } of kv.list({ prefix: ["leases"] })) assert.fail(`listed ${key}`);
      const absent = { key: ["leases", "a"], versionstamp: null };
      assert.equal((await kv.atomic().check(absent).set(["seen"], true).commit()).ok, true);
    });
  } else {
    test("an expired row by an injected clock is still there: the wall clock rules", async ({
      kv,
      clock,
    }) => {
      await heldThenLapsed(kv, clock);
      assert.equal((await kv.get(["leases", "a"])).value.holder, "ann");
    });
  }

  /** 160 commits that check and set keys of their own, on two handles in turn, 8 at a time. */
  async function commitOnBoth(handles) {
    const outcomes = [];
    for (let round = 0; round < 20; round++) {
      const commits = Array.from({ length: 8 }, (_, i) => {
        const key = [round, i];
        return handles[i % 2].atomic().check({ key, versionstamp: null }).set(key, "x").commit();
      });
      outcomes.push(...(await Promise.allSettled(commits)));
    }
    return outcomes;
  }

  if (abilities.rivalHandles) {
    test("commits on two handles at once all land", async ({ kv, another }) => {
      const outcomes = await commitOnBoth([kv, await another()]);
      assert.ok(outcomes.every(({ status, value }) => status === "fulfilled" && value.ok));
    });
  } else {
    test("commits on two handles at once fail: the database is locked", async ({ kv, another }) => {
      const outcomes = await commitOnBoth([kv, await another()]);
      const failures = outcomes.filter(({ status }) => status === "rejected");
      assert.notEqual(failures.length, 0);
      for (const { reason } of failures) assert.match(reason.message, /database is locked/);
    });
  }
}
