import { createCron } from "../../../examples/consumers/cron.mjs";

/** Long, so that a store that goes by the wall clock expires no lock during a run. */
const EVERY_MS = 60_000;

export function cronCases({ test, assert }) {
  const open = (kv, clock, host = "h") => createCron({ kv, host, now: clock.now });
  const ticksOf = (won) => won.map(({ tick }) => tick);
  const currentTick = (clock) => Math.floor(clock.now() / EVERY_MS);

  test("a tick is won when it comes due, and once", async ({ kv, clock }) => {
    const cron = open(kv, clock);
    const options = { everyMs: EVERY_MS, since: clock.now() };
    assert.deepEqual(await cron.claimDue("a", options), []);
    clock.advance(EVERY_MS);
    const tick = currentTick(clock);
    assert.deepEqual(await cron.claimDue("a", options), [{ name: "a", tick, at: tick * EVERY_MS }]);
    assert.deepEqual(await cron.claimDue("a", options), []);
  });

  test("of many hosts one wins each tick", async ({ kv, rival, clock }) => {
    const handles = [kv, await rival(), await rival()];
    const hosts = Array.from({ length: 9 }, (_, i) => open(handles[i % 3], clock, `host ${i}`));
    const options = { everyMs: EVERY_MS, since: clock.now() };
    const expected = [];
    const won = [];
    for (let round = 0; round < 5; round++) {
      clock.advance(EVERY_MS);
      expected.push(currentTick(clock));
      const claims = await Promise.all(hosts.map((host) => host.claimDue("a", options)));
      won.push(...ticksOf(claims.flat()));
    }
    assert.deepEqual(won, expected);
  });

  test("a late host makes up for missed ticks, oldest first, not beyond its bound", async ({
    kv,
    clock,
  }) => {
    const options = { everyMs: EVERY_MS, since: clock.now() };
    clock.advance(3 * EVERY_MS);
    const third = currentTick(clock);
    assert.deepEqual(ticksOf(await open(kv, clock).claimDue("a", options)), [
      third - 2,
      third - 1,
      third,
    ]);
    clock.advance(100 * EVERY_MS);
    const late = await open(kv, clock).claimDue("a", options);
    const last = currentTick(clock);
    assert.deepEqual(
      ticksOf(late),
      Array.from({ length: 10 }, (_, i) => last - 9 + i),
    );
  });

  test("a tick is never won again, also after its lock has expired", async ({ kv, clock }) => {
    const cron = open(kv, clock);
    const options = { everyMs: EVERY_MS, since: clock.now() };
    const seen = new Set();
    for (let round = 0; round < 60; round++) {
      clock.advance(EVERY_MS / 2);
      for (const tick of ticksOf(await cron.claimDue("a", options))) {
        assert.equal(seen.has(tick), false);
        seen.add(tick);
      }
    }
    assert.equal(seen.size, 30);
  });

  test("rows written along land with the claim, and with no claim that lost", async ({
    kv,
    rival,
    clock,
  }) => {
    const handles = [kv, await rival(), kv, await rival()];
    const since = clock.now();
    clock.advance(EVERY_MS);
    const claims = handles.map((handle, host) =>
      open(handle, clock).claimDue("a", {
        everyMs: EVERY_MS,
        since,
        alsoWrite: (op, { name, tick }) => op.set(["fired", name, tick, host], true),
      }),
    );
    const winner = (await Promise.all(claims)).findIndex((won) => won.length === 1);
    const keys = [];
    for await (const { key } of kv.list({ prefix: ["fired"] })) keys.push(key);
    assert.deepEqual(keys, [["fired", "a", currentTick(clock), winner]]);
  });

  test("schedules do not touch each other", async ({ kv, clock }) => {
    const cron = open(kv, clock);
    const since = clock.now();
    clock.advance(EVERY_MS);
    assert.equal((await cron.claimDue("a", { everyMs: EVERY_MS, since })).length, 1);
    assert.equal((await cron.claimDue("b", { everyMs: EVERY_MS, since })).length, 1);
    assert.equal((await cron.claimDue("c", { everyMs: EVERY_MS / 2, since })).length, 2);
  });
}
