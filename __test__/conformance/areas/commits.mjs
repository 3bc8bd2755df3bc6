// Commits and expiry, on an empty store of either kind, whose clock stands until it is set.

import { AtomicOperation, Kv, KvU64 } from "../../../index.mjs";
import { assert, refused } from "../counted.mjs";
import { collect, keysOf, valueOf } from "../lists.mjs";

const ABSENT = { versionstamp: null };

export async function commits(kv) {
  const absent = await kv.get(["a"]);
  assert.deepEqual(absent, { key: ["a"], value: null, versionstamp: null });
  const first = await kv.set(["a"], 1);
  assert.deepEqual(Object.keys(first), ["ok", "versionstamp"]);
  assert.match(first.versionstamp, /^[0-9a-f]{16}0000$/);
  assert.deepEqual(await kv.get(["a"]), { key: ["a"], value: 1, versionstamp: first.versionstamp });

  const op = kv.atomic();
  assert.ok(op instanceof AtomicOperation);
  assert.equal(
    op.check({ key: ["a"], versionstamp: first.versionstamp }, { key: ["b"], ...ABSENT }),
    op,
  );
  op.set(["a"], 2).mutate(
    { type: "set", key: ["b"], value: "b" },
    { type: "sum", key: ["n"], value: new KvU64(2n) },
    { type: "max", key: ["n"], value: new KvU64(3n) },
    { type: "min", key: ["n"], value: new KvU64(1n) },
    { type: "set", key: ["c"], value: "gone" },
    { type: "delete", key: ["c"] },
  );
  const second = await op.commit();
  assert.ok(second.versionstamp > first.versionstamp);
  const all = await collect(kv.list({ prefix: [] }));
  assert.deepEqual(all, [
    { key: ["a"], value: 2, versionstamp: second.versionstamp },
    { key: ["b"], value: "b", versionstamp: second.versionstamp },
    { key: ["n"], value: new KvU64(1n), versionstamp: second.versionstamp },
  ]);
  assert.deepEqual(await op.commit(), { ok: false, failedChecks: [0, 1] });
  assert.deepEqual(await collect(kv.list({ prefix: [] })), all);

  await kv.delete(["a"]);
  assert.deepEqual(await kv.get(["a"]), absent);
  const inOrder = [kv.set(["q"], 1), kv.set(["q"], 2), kv.get(["q"]), kv.delete(["q"])];
  assert.equal((await kv.get(["q"])).value, null, "a read sees what was asked before it");
  assert.equal((await inOrder[2]).value, 2);

  const check = { key: ["a"], versionstamp: "no stamp" };
  await refused("TypeError", "INVALID_VERSIONSTAMP", () => kv.atomic().check(check).commit());
  const set = { type: "set", key: ["a"] };
  await refused("TypeError", "INVALID_ARGUMENT", () => kv.atomic().mutate(set));
  await refused("TypeError", "INVALID_ARGUMENT", () => kv.atomic().mutate({ type: "no type" }));
  await refused("TypeError", "INVALID_ARGUMENT", () => new AtomicOperation());
  await refused("TypeError", "INVALID_ARGUMENT", async () => await kv.atomic());
  const checks = Array.from({ length: 101 }, (_, i) => ({ key: ["c", i], ...ABSENT }));
  await assert.rejects(
    kv
      .atomic()
      .check(...checks)
      .commit(),
    (error) => {
      assert.deepEqual([error.code, error.limit], ["LIMIT_EXCEEDED", "checks"]);
      assert.deepEqual([error.max, error.actual], [100, 101]);
      return true;
    },
  );
}

export async function versionstampedKeys(kv) {
  const suffix = kv.commitVersionstamp();
  assert.equal(typeof suffix, "symbol");
  assert.equal(new Kv().commitVersionstamp(), suffix);
  const alone = await kv.set(["log", suffix], "alone");
  const both = await kv.atomic().set(["log", suffix], "op").set(["other", suffix], "op").commit();
  assert.deepEqual(await keysOf(kv, { prefix: [] }), [
    ["log", alone.versionstamp],
    ["log", both.versionstamp],
    ["other", both.versionstamp],
  ]);
  await refused("TypeError", "INVALID_KEY", () => kv.set([suffix, "log"], 1));
  await refused("TypeError", "INVALID_KEY", () => kv.get(["log", suffix]));
}

export async function expiry(kv, clock) {
  await kv.set(["lease"], "me", { expireIn: 50 });
  await kv.atomic().set(["lease", 2], "me", { expireIn: 50 }).set(["stays"], 1).commit();
  const { versionstamp } = await kv.get(["lease"]);
  clock.ms += 49;
  assert.equal(await valueOf(kv, ["lease"]), "me");
  assert.equal((await keysOf(kv, { prefix: [] })).length, 3);
  clock.ms += 1;
  assert.equal(await valueOf(kv, ["lease"]), null, "gone at that millisecond");
  assert.deepEqual(await keysOf(kv, { prefix: [] }), [["stays"]]);
  assert.equal((await kv.getMany([["lease", 2]]))[0].versionstamp, null);
  const renewal = kv
    .atomic()
    .check({ key: ["lease"], versionstamp })
    .set(["lease"], "again");
  assert.deepEqual(await renewal.commit(), { ok: false, failedChecks: [0] });
  assert.equal(await kv.sweepExpired(), 2);
  assert.equal(await kv.sweepExpired(), 0);

  await kv.set(["n"], new KvU64(1n), { expireIn: 10 });
  await kv.atomic().sum(["n"], 4n).commit();
  assert.equal((await valueOf(kv, ["n"])).value, 5n);
  clock.ms += 10;
  assert.equal(await valueOf(kv, ["n"]), null, "a sum keeps the time to live");
  await kv.atomic().sum(["n"], 4n).commit();
  assert.equal((await valueOf(kv, ["n"])).value, 4n, "what has expired counts as absent");
  await kv.set(["at once"], 1, { expireIn: 0 });
  assert.equal(await valueOf(kv, ["at once"]), null);
  await kv.set(["later"], 1, { expireIn: 1000 });
  assert.equal(await kv.sweepExpired(clock.ms + 1000), 2);

  for (const expireIn of [-1, 1.5, NaN, "5", null, 2 ** 53]) {
    await refused("TypeError", "INVALID_EXPIRY", () => kv.set(["never"], 1, { expireIn }));
  }
  await refused("TypeError", "INVALID_ARGUMENT", () => kv.sweepExpired("soon"));
}

/** 64 writers who each raise one counter 5 times, by check and set. */
export async function writers(kv) {
  const raise = async () => {
    for (let landed = 0; landed < 5;) {
      const entry = await kv.get(["count"]);
      const set = kv
        .atomic()
        .check(entry)
        .set(["count"], (entry.value ?? 0) + 1);
      if ((await set.commit()).ok) landed += 1;
    }
  };
  await Promise.all(Array.from({ length: 64 }, raise));
  assert.equal(await valueOf(kv, ["count"]), 64 * 5);
}
