// Modules written against a slice of Deno.Kv, ours or their own, take a Kv; so do small fakes.

import { type Kv, type DenoKvLike, type KvEntry, type KvKey } from "fencekv";

declare const kv: Kv;
export const ours: DenoKvLike = kv;

/** The slice as a module may spell it for itself. */
interface OwnSlice {
  get(
    key: (string | number)[],
  ): Promise<{ key: readonly unknown[]; value: unknown; versionstamp: string | null }>;
  set(key: string[], value: unknown, options?: { expireIn?: number }): Promise<unknown>;
  delete(key: string[]): Promise<void>;
  list(
    selector: { prefix: string[]; start?: (string | number)[]; end?: (string | number)[] },
    options?: { limit?: number },
  ): AsyncIterable<{ key: readonly unknown[]; value: unknown; versionstamp: string }>;
  atomic(): OwnAtomic;
}

interface OwnAtomic {
  check(...checks: { key: string[]; versionstamp: string | null }[]): OwnAtomic;
  set(key: string[], value: unknown, options?: { expireIn?: number }): OwnAtomic;
  delete(key: string[]): OwnAtomic;
  commit(): Promise<{ ok: boolean }>;
}

export const own: OwnSlice = kv;

/** A fake as a test suite may hold it. */
class FakeKv {
  get<T = unknown>(
    key: KvKey,
  ): Promise<{ key: KvKey; value: T | null; versionstamp: string | null }> {
    return Promise.resolve({ key, value: null, versionstamp: null });
  }
  set(): Promise<{ ok: true; versionstamp: string }> {
    return Promise.resolve({ ok: true, versionstamp: "" });
  }
  delete(): Promise<void> {
    return Promise.resolve();
  }
  async *list<T>(): AsyncGenerator<KvEntry<T>> {}
  atomic() {
    const operation = {
      check: () => operation,
      set: () => operation,
      delete: () => operation,
      commit: (): Promise<{ ok: true; versionstamp: string } | { ok: false }> =>
        Promise.resolve({ ok: false }),
    };
    return operation;
  }
}

export const fake: DenoKvLike = new FakeKv();

/** A module that is handed a store. */
export async function module(store: DenoKvLike): Promise<boolean> {
  const held = await store.get<{ until: number }>(["lease", "a"]);
  if (held.value !== null && held.value.until > 0) return false;
  for await (const due of store.list({ prefix: ["due"], end: ["due", 5] }, { limit: 1 })) {
    await store.delete(due.key);
  }
  const result = await store
    .atomic()
    .check({ key: held.key, versionstamp: held.versionstamp })
    .set(held.key, { until: 1 }, { expireIn: 5 })
    .commit();
  return result.ok && result.versionstamp !== "";
}
