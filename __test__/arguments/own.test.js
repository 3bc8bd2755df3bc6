"use strict";

// Misuse of what Deno does not have: the options, sweepExpired; and what an exceeded limit tells.

const assert = require("node:assert/strict");
const { describe, it } = require("node:test");
const { Kv, KvU64, openKv } = require("../../index.js");

const notAFunction = [null, 5, "now", {}, Promise.resolve()];
const notAWholeNumber = [null, -1, 1.5, NaN, -Infinity, "5", 5n, {}, Symbol("ms")];

/** Option -> values that it refuses. */
const wrongOptions = {
  now: notAFunction,
  durability: [null, "", "FULL", "none", true, 1],
  busyTimeoutMs: [...notAWholeNumber, Infinity],
  limits: [null, 5, "none", () => {}],
  debug: [null, 1, "true"],
};

const wrongTime = [null, NaN, Infinity, "5", 5n, {}, new Date(0), Symbol("now")];

describe("options", () => {
  for (const [name, values] of Object.entries(wrongOptions)) {
    it(`${name} of a wrong kind is refused`, async () => {
      for (const value of values) await refuses({ [name]: value }, "INVALID_ARGUMENT", name);
    });
  }

  it("a limit of a wrong kind is refused", async () => {
    for (const value of notAWholeNumber) {
      await refuses({ limits: { checks: value } }, "INVALID_ARGUMENT", "checks");
    }
  });

  it("what is no object is refused", async () => {
    for (const options of [null, 5, "full", true, Symbol("options"), () => {}]) {
      await refuses(options, "INVALID_ARGUMENT", "options");
    }
  });

  it("a codec needs both of its functions", async () => {
    const codec = { encodeV8: () => new Uint8Array(0), decodeV8: () => null };
    for (const [name, other] of [
      ["encodeV8", "decodeV8"],
      ["decodeV8", "encodeV8"],
    ]) {
      await refuses({ [name]: codec[name] }, "INVALID_ARGUMENT", other);
      for (const value of notAFunction) {
        await refuses({ ...codec, [name]: value }, "INVALID_ARGUMENT", name);
      }
    }
  });

  it("what is not known is refused by its name", async () => {
    await refuses({ durabilty: "full" }, "UNKNOWN_OPTION", "durabilty");
    await refuses({ constructor: 1 }, "UNKNOWN_OPTION", "constructor");
    await refuses({ limits: { valuesBytes: 1 } }, "UNKNOWN_OPTION", "valuesBytes");
    await refuses({ limits: { toString: 1 } }, "UNKNOWN_OPTION", "toString");
  });

  it("what needs a remote store is refused with a sentence", async () => {
    await refuses({ accessToken: "secret" }, "UNSUPPORTED", "remote", "secret");
    for (const path of ["http://localhost/", "HTTPS://example.com/db"]) {
      assert.throws(() => new Kv(path), { name: "TypeError", code: "UNSUPPORTED" });
      await assert.rejects(openKv(path), { name: "TypeError", code: "UNSUPPORTED" });
    }
  });

  it("what is undefined counts as not given", () => {
    const names = [...Object.keys(wrongOptions), "encodeV8", "decodeV8", "accessToken", "other"];
    new Kv(undefined, Object.fromEntries(names.map((name) => [name, undefined]))).close();
    new Kv(":memory:", { limits: { checks: undefined, other: undefined } }).close();
    new Kv(":memory:", undefined).close();
  });

  it("a clock that gives no time fails the operation that asks it, and writes nothing", async () => {
    let time = 0;
    const kv = new Kv(":memory:", { now: () => time });
    for (time of [undefined, null, NaN, Infinity, "5", 5n, new Date(0)]) {
      await assert.rejects(kv.set(["k"], 1), { name: "TypeError", code: "INVALID_ARGUMENT" });
      await assert.rejects(kv.get(["k"]), { name: "TypeError", code: "INVALID_ARGUMENT" });
      await assert.rejects(kv.list({ prefix: [] }).next(), { code: "INVALID_ARGUMENT" });
      await assert.rejects(kv.sweepExpired(), { name: "TypeError", code: "INVALID_ARGUMENT" });
    }
    time = 0;
    assert.equal((await kv.get(["k"])).versionstamp, null);
    kv.close();
  });
});

describe("sweepExpired", () => {
  it("takes a time and nothing else, and sweeps nothing when it is none", async () => {
    const kv = new Kv(":memory:", { now: () => 0 });
    await kv.set(["k"], 1, { expireIn: 1 });
    for (const now of wrongTime) {
      await assert.rejects(kv.sweepExpired(now), { name: "TypeError", code: "INVALID_ARGUMENT" });
    }
    assert.equal((await kv.get(["k"])).value, 1);
    assert.equal(await kv.sweepExpired(1), 1);
    kv.close();
  });
});

describe("an exceeded limit", () => {
  const limits = {
    keyWriteBytes: 8,
    keyReadBytes: 9,
    valueBytes: 20,
    checks: 2,
    mutations: 3,
    keysPerGetMany: 2,
    batchSize: 2,
    commitBytes: 60,
    commitKeyBytes: 15,
  };
  const long = ["a".repeat(7)]; // 9 bytes
  const wide = new Uint8Array(20);

  /** Limit -> a call that exceeds it, what it brings, the key at fault, and what would be allowed. */
  const calls = {
    keyWriteBytes: [(kv) => kv.set(long, 1), 9, long],
    keyReadBytes: [(kv) => kv.get(long), 9, long, 8], // the range of one key has a byte more
    valueBytes: [(kv) => kv.set(["k"], new Uint8Array(21)), 21, ["k"]],
    checks: [
      (kv) =>
        kv
          .atomic()
          .check(...absent(3))
          .commit(),
      3,
    ],
    mutations: [
      (kv) => kv.atomic().delete(["a"]).delete(["b"]).delete(["c"]).delete(["d"]).commit(),
      4,
    ],
    keysPerGetMany: [(kv) => kv.getMany([["a"], ["b"], ["c"]]), 3],
    batchSize: [(kv) => kv.list({ prefix: [] }, { batchSize: 3 }).next(), 3],
    commitBytes: [
      (kv) => kv.atomic().set(["a"], wide).set(["b"], wide).set(["c"], wide).commit(),
      78,
    ],
    commitKeyBytes: [
      (kv) => kv.atomic().sum(["abcd"], 1n).sum(["abce"], 1n).sum(["abcf"], 1n).commit(),
      18,
    ],
  };

  for (const [limit, [call, actual, key, max = limits[limit]]] of Object.entries(calls)) {
    it(`tells which and by how much: ${limit}`, async () => {
      const kv = new Kv(":memory:", { limits });
      await assert.rejects(call(kv), (error) => {
        assert.ok(error instanceof TypeError);
        const { code, ...fields } = error;
        const expected = { limit, max, actual, ...(key && { key }) };
        assert.deepEqual({ code, ...fields }, { code: "LIMIT_EXCEEDED", ...expected });
        return true;
      });
      assert.deepEqual(await kv.list({ prefix: [] }, { batchSize: 1 }).next(), {
        done: true,
        value: undefined,
      });
      kv.close();
    });

    it(`is lifted by Infinity: ${limit}`, async () => {
      const lifted = Object.fromEntries(Object.keys(limits).map((name) => [name, Infinity]));
      const kv = new Kv(":memory:", { limits: lifted });
      await call(kv);
      kv.close();
    });
  }

  const absent = (count) =>
    Array.from({ length: count }, (_, i) => ({ key: ["absent", i], versionstamp: null }));

  it("of a type tells the key", async () => {
    const kv = new Kv();
    await kv.set(["text"], "a");
    for (const type of ["sum", "min", "max"]) {
      await assert.rejects(
        kv
          .atomic()
          .mutate({ type, key: ["text"], value: new KvU64(1n) })
          .commit(),
        { name: "TypeError", code: "TYPE_MISMATCH", key: ["text"] },
      );
    }
    kv.close();
  });
});

/** Both ways to open refuse these options, in words that hold `word` and not `secret`. */
async function refuses(options, code, word, secret) {
  const expected = (error) => {
    assert.equal(error.name, "TypeError");
    assert.equal(error.code, code, error.message);
    assert.ok(error.message.includes(word), error.message);
    assert.ok(secret === undefined || !error.message.includes(secret), error.message);
    return true;
  };
  assert.throws(() => new Kv(":memory:", options), expected);
  await assert.rejects(openKv(":memory:", options), expected);
}
