import { createLeases } from "../../../examples/consumers/leases.mjs";

/** Longer than any run, so that a store that goes by the wall clock expires nothing meanwhile. */
const TTL_MS = 600_000;

export function leaseCases({ test, assert }) {
  /** Leases whose waits take no time but move the clock. */
  const open = (kv, clock, options) =>
    createLeases({ kv, now: clock.now, wait: async (ms) => clock.advance(ms), ...options });

  async function acquired(leases, id, holder) {
    const taken = await leases.acquire(id, holder, TTL_MS);
    assert.equal(taken.ok, true);
    return taken.lease;
  }

  test("is granted, with its holder and deadline", async ({ kv, clock }) => {
    const lease = await acquired(open(kv, clock), "a", "ann");
    assert.equal(lease.holder, "ann");
    assert.equal(lease.until, clock.now() + TTL_MS);
  });

  test("contention times out after the bounded attempts and names the holder", async ({
    kv,
    clock,
  }) => {
    const { until } = await acquired(open(kv, clock), "a", "ann");
    const waits = [];
    const rival = open(kv, clock, { attempts: 5, waitMs: 70, wait: async (ms) => waits.push(ms) });
    assert.deepEqual(await rival.acquire("a", "bob", TTL_MS), {
      ok: false,
      reason: "timeout",
      holder: "ann",
      until,
    });
    assert.deepEqual(waits, [70, 70, 70, 70]);
  });

  test("a waiter gets it once it is released", async ({ kv, clock }) => {
    const ann = await acquired(open(kv, clock), "a", "ann");
    const bob = open(kv, clock, { wait: () => open(kv, clock).release(ann) });
    assert.equal((await acquired(bob, "a", "bob")).holder, "bob");
  });

  test("a waiter gets it once its time is up, and not before", async ({ kv, clock }) => {
    const { until } = await acquired(open(kv, clock), "a", "ann");
    clock.advance(TTL_MS - 120);
    await acquired(open(kv, clock, { waitMs: 50 }), "a", "bob");
    assert.equal(clock.now(), until + 30);
  });

  test("a lease taken over cannot be released by its former holder", async ({ kv, clock }) => {
    const leases = open(kv, clock, { attempts: 1 });
    const ann = await acquired(leases, "a", "ann");
    clock.advance(TTL_MS);
    const bob = await acquired(leases, "a", "bob");
    assert.deepEqual(await leases.release(ann), { ok: false, reason: "lost" });
    assert.equal((await leases.acquire("a", "cay", TTL_MS)).holder, "bob");
    assert.deepEqual(await leases.release(bob), { ok: true });
  });

  test("a lease taken over cannot be renewed by its former holder", async ({ kv, clock }) => {
    const leases = open(kv, clock, { attempts: 1 });
    const ann = await acquired(leases, "a", "ann");
    clock.advance(TTL_MS);
    await acquired(leases, "a", "bob");
    assert.deepEqual(await leases.renew(ann, TTL_MS), { ok: false, reason: "lost" });
    assert.equal((await leases.acquire("a", "cay", TTL_MS)).holder, "bob");
  });

  test("a lease whose time is up cannot be renewed, though nobody took it", async ({
    kv,
    clock,
  }) => {
    const leases = open(kv, clock);
    const ann = await acquired(leases, "a", "ann");
    clock.advance(TTL_MS);
    assert.deepEqual(await leases.renew(ann, TTL_MS), { ok: false, reason: "lost" });
    await acquired(leases, "a", "bob");
  });

  test("renewing moves the deadline and uses up the earlier lease", async ({ kv, clock }) => {
    const leases = open(kv, clock, { attempts: 1 });
    const first = await acquired(leases, "a", "ann");
    clock.advance(TTL_MS - 1);
    const { lease: second } = await leases.renew(first, TTL_MS);
    assert.equal(second.until, clock.now() + TTL_MS);
    clock.advance(TTL_MS - 1);
    assert.equal((await leases.acquire("a", "bob", TTL_MS)).ok, false);
    assert.equal((await leases.release(first)).ok, false);
    assert.equal((await leases.release(second)).ok, true);
  });

  test("a released lease is never valid again for its holder", async ({ kv, clock }) => {
    const leases = open(kv, clock);
    const ann = await acquired(leases, "a", "ann");
    await leases.release(ann);
    assert.equal((await leases.renew(ann, TTL_MS)).ok, false);
    await acquired(leases, "a", "bob");
    assert.equal((await leases.release(ann)).ok, false);
  });

  test("a commit that carries the lease lands only while it is held", async ({ kv, clock }) => {
    const leases = open(kv, clock);
    const ann = await acquired(leases, "a", "ann");
    assert.equal((await kv.atomic().check(ann.check).set(["work"], 1).commit()).ok, true);
    clock.advance(TTL_MS);
    await acquired(leases, "a", "bob");
    assert.equal((await kv.atomic().check(ann.check).set(["work"], 2).commit()).ok, false);
    assert.equal((await kv.get(["work"])).value, 1);
  });

  test("of many racers one gets it", async ({ kv, rival, clock }) => {
    const rivals = [kv, await rival(), await rival()];
    const race = Array.from({ length: 12 }, (_, i) =>
      open(rivals[i % 3], clock, { attempts: 3 }).acquire("a", `racer ${i}`, TTL_MS),
    );
    assert.equal((await Promise.all(race)).filter(({ ok }) => ok).length, 1);
  });

  test("ids do not touch each other", async ({ kv, clock }) => {
    const leases = open(kv, clock, { attempts: 1 });
    const a = await acquired(leases, "a", "ann");
    const b = await acquired(leases, "b", "bob");
    await leases.release(a);
    assert.equal((await leases.acquire("b", "cay", TTL_MS)).holder, "bob");
    assert.equal((await leases.renew(b, TTL_MS)).ok, true);
  });
}
