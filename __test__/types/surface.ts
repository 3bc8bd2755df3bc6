// Everything a caller may write, with the types that come back.

import {
  AtomicOperation,
  Kv,
  KvError,
  KvListIterator,
  KvU64,
  openKv,
  type AtomicCheck,
  type KvCommitError,
  type KvCommitResult,
  type KvConsistencyLevel,
  type KvEntry,
  type KvEntryMaybe,
  type KvErrorCode,
  type KvKey,
  type KvKeyPart,
  type KvLimits,
  type KvListOptions,
  type KvListSelector,
  type KvMisuseCode,
  type KvMisuseError,
  type KvMutation,
  type KvOptions,
} from "fencekv";

/** True when the two types are the same, not merely assignable. */
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_: Same<A, B>): void => {};

export async function opening(): Promise<void> {
  await using inMemory = new Kv();
  using named = new Kv(":memory:");
  const options: KvOptions = {
    now: () => 0,
    durability: "normal",
    busyTimeoutMs: 5,
    limits: { valueBytes: 1, checks: undefined },
    encodeV8: (value: unknown) => new TextEncoder().encode(JSON.stringify(value)),
    decodeV8: (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes)),
    debug: true,
    accessToken: undefined,
  };
  const onFile: Kv = await openKv("./app.db", options);
  await openKv();
  await openKv(undefined, { now: undefined, durability: undefined });
  const swept: number = await onFile.sweepExpired();
  await onFile.sweepExpired(swept);
  same<ReturnType<typeof onFile.close>, void>(true);
  void [inMemory, named];
}

export async function reading(kv: Kv): Promise<void> {
  const parts: KvKeyPart[] = [new Uint8Array(1), "a", 1, 1n, true];
  const key: KvKey = parts;
  const level: KvConsistencyLevel = "eventual";

  same<Awaited<ReturnType<typeof kv.get>>, KvEntryMaybe<unknown>>(true);
  const entry = await kv.get<{ a: number }>(key, { consistency: level });
  same<typeof entry.value, { a: number } | null>(true);
  if (entry.versionstamp !== null) same<typeof entry, KvEntry<{ a: number }>>(true);

  const two = await kv.getMany<[string, number]>([["a"], ["b"]], { consistency: undefined });
  same<typeof two, [KvEntryMaybe<string>, KvEntryMaybe<number>]>(true);
  const keys: KvKey[] = [];
  for (const each of await kv.getMany<unknown[]>(keys)) same<typeof each.value, unknown>(true);
}

export async function listing(kv: Kv): Promise<string> {
  const selectors: KvListSelector[] = [
    { prefix: ["a"] },
    { prefix: [], start: ["a"] },
    { prefix: ["a"], end: ["a", 2] },
    { prefix: ["a"], start: ["a", 1], end: ["a", 2] },
    { start: ["a"], end: ["b"] },
  ];
  const options: KvListOptions = {
    limit: 1,
    cursor: undefined,
    reverse: true,
    consistency: "strong",
    batchSize: 500,
  };
  for (const selector of selectors) {
    for await (const { key, value, versionstamp } of kv.list<number>(selector, options)) {
      same<typeof key, KvKey>(true);
      same<typeof value, number>(true);
      same<typeof versionstamp, string>(true);
    }
  }
  const list: KvListIterator<unknown> = kv.list({ prefix: ["a"] });
  const step = await list.next();
  if (step.done !== true) same<typeof step.value, KvEntry<unknown>>(true);
  return list.cursor;
}

export async function committing(kv: Kv): Promise<string | number[]> {
  const set: KvCommitResult = await kv.set(["a"], { any: "value" }, { expireIn: undefined });
  await kv.set(["log", kv.commitVersionstamp()], undefined);
  await kv.delete(["a"]);

  const check: AtomicCheck = { key: ["a"], versionstamp: null };
  const mutations: KvMutation[] = [
    { type: "set", key: ["a"], value: 1, expireIn: 5 },
    { type: "delete", key: ["a"] },
    { type: "sum", key: ["n"], value: new KvU64(1n) },
    { type: "min", key: ["n"], value: new KvU64(1n) },
    { type: "max", key: ["n"], value: new KvU64(1n) },
  ];
  const operation: AtomicOperation = kv
    .atomic()
    .check(check, { key: ["b"], versionstamp: set.versionstamp })
    .mutate(...mutations)
    .set(["a"], 1, { expireIn: 5 })
    .delete(["b"])
    .sum(["n"], 1n)
    .min(["n"], 1n)
    .max(["n"], 1n);
  const result: KvCommitResult | KvCommitError = await operation.commit();
  return result.ok ? result.versionstamp : result.failedChecks;
}

export function failing(error: unknown): KvErrorCode | KvMisuseCode | keyof KvLimits | undefined {
  if (error instanceof KvError) {
    const cause: unknown = error.cause;
    same<typeof error.name, "KvError">(true);
    same<string extends KvErrorCode | KvMisuseCode ? true : false, false>(true);
    return cause === undefined ? error.code : undefined;
  }
  const misuse = error as KvMisuseError;
  return misuse.code === "LIMIT_EXCEEDED" ? misuse.limit : misuse.code;
}

export function numbers(): bigint {
  const n = new KvU64(5n);
  return n.value;
}
