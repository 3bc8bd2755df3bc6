// What is there of Deno.Kv fits where Deno's own is asked for, and the other way where it should.

import { openKv, type AtomicOperation, type DenoKvLike, type Kv, KvU64 } from "fencekv";

/** Members of Deno's that are not built yet. */
type Missing = "enqueue" | "listenQueue" | "watch" | "atomic";

/**
 * Deno.AtomicOperation without its enqueue. Omit alone would leave the full operation as what each
 * method returns.
 */
type DenoAtomic = {
  [K in Exclude<keyof Deno.AtomicOperation, "enqueue" | "commit">]: (
    ...args: Parameters<Deno.AtomicOperation[K]>
  ) => DenoAtomic;
} & Pick<Deno.AtomicOperation, "commit">;

declare const kv: Kv;
declare const denoKv: Deno.Kv;

export const asDeno: Omit<Deno.Kv, Missing> = kv;
export const asDenoAtomic: DenoAtomic = kv.atomic();
export const asDenoU64: Deno.KvU64 = new KvU64(1n);
export const asDenoOpen: (path?: string) => Promise<Omit<Deno.Kv, Missing>> = openKv;

/** Each member by itself, so that the compiler names the one that does not fit. */
export const members: { [K in Exclude<keyof Deno.Kv, Missing>]: Deno.Kv[K] } = kv;

/** Nothing of ours is missing from the list above without reason. */
export const missing: Record<Exclude<keyof Deno.Kv, keyof Kv>, true> = {
  enqueue: true,
  listenQueue: true,
  watch: true,
};
export const missingInAtomic: Record<
  Exclude<keyof Deno.AtomicOperation, keyof AtomicOperation>,
  true
> = { enqueue: true };

/** Deno's own fits the slice. */
export const slice: DenoKvLike = denoKv;

/** Deno's types and ours mix: what the one gives the other takes. */
export async function mixed(): Promise<void> {
  const options: Deno.KvListOptions = { limit: 1, reverse: true };
  const selector: Deno.KvListSelector = { prefix: ["a"] };
  const list: Deno.KvListIterator<number> = kv.list<number>(selector, options);
  const step = await list.next();
  if (step.done !== true) {
    const check: Deno.AtomicCheck = step.value;
    const mutation: Deno.KvMutation = { type: "sum", key: check.key, value: new KvU64(1n) };
    const result: Deno.KvCommitResult | Deno.KvCommitError = await kv
      .atomic()
      .check(check)
      .mutate(mutation)
      .commit();
    if (result.ok) await denoKv.get(["a", result.versionstamp]);
  }
  const two: [Deno.KvEntryMaybe<string>, Deno.KvEntryMaybe<number>] = await kv.getMany<
    [string, number]
  >([["a"], ["b"]]);
  await denoKv.atomic().check(two[0]).commit();
}
