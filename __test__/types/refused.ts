// What must not compile. A line that does makes its own directive an error.

import { AtomicOperation, Kv, KvError, KvListIterator, KvU64, openKv } from "fencekv";

export async function refused(kv: Kv, n: KvU64): Promise<void> {
  // @ts-expect-error an unknown option
  new Kv(":memory:", { cache: true });
  // @ts-expect-error a path is a string
  new Kv(5);
  // @ts-expect-error an unknown durability
  await openKv("./app.db", { durability: "none" });
  // @ts-expect-error the clock gives a number
  await openKv("./app.db", { now: () => new Date() });
  // @ts-expect-error an unknown limit
  await openKv("./app.db", { limits: { valuesBytes: 1 } });

  // @ts-expect-error a key is an array
  await kv.get("a");
  // @ts-expect-error no such part
  await kv.get([null]);
  // @ts-expect-error no such part
  await kv.set([new Date()], 1);
  // @ts-expect-error a value is asked for
  await kv.set(["a"]);
  // @ts-expect-error milliseconds
  await kv.set(["a"], 1, { expireIn: "5" });
  // @ts-expect-error an unknown option
  await kv.set(["a"], 1, { expiresIn: 5 });
  // @ts-expect-error keys, not a key
  await kv.getMany(["a"]);
  // @ts-expect-error no such level
  await kv.get(["a"], { consistency: "weak" });
  // @ts-expect-error milliseconds
  await kv.sweepExpired("now");

  // @ts-expect-error start without end
  kv.list({ start: ["a"] });
  // @ts-expect-error neither prefix nor range
  kv.list({});
  // @ts-expect-error a number
  kv.list({ prefix: [] }, { limit: "1" });
  // @ts-expect-error read-only
  kv.list({ prefix: [] }).cursor = "";

  // @ts-expect-error a check without its versionstamp
  kv.atomic().check({ key: ["a"] });
  // @ts-expect-error a versionstamp is a string
  kv.atomic().check({ key: ["a"], versionstamp: 1n });
  // @ts-expect-error no such mutation
  kv.atomic().mutate({ type: "add", key: ["a"], value: n });
  // @ts-expect-error a KvU64 is asked for
  kv.atomic().mutate({ type: "sum", key: ["a"], value: 1n });
  // @ts-expect-error a bigint is asked for
  kv.atomic().sum(["a"], n);
  // @ts-expect-error a number is not a bigint
  kv.atomic().sum(["a"], 1);

  const result = await kv.atomic().commit();
  // @ts-expect-error only a commit that landed has one
  void result.versionstamp;
  // @ts-expect-error only a commit that was refused has them
  void result.failedChecks;

  // @ts-expect-error frozen
  n.value = 1n;
  // @ts-expect-error a bigint is asked for
  new KvU64(1);

  // @ts-expect-error kv.atomic() makes it
  new AtomicOperation();
  // @ts-expect-error kv.list() makes it
  new KvListIterator();
  // @ts-expect-error the store makes it
  new KvError();
  // @ts-expect-error no such code
  const code: "CLOSE" = (null as unknown as KvError).code;
  void code;
}
