/// <reference lib="esnext.disposable" />

/**
 * A key-value store with the API of `Deno.Kv` for Node, Deno and Bun: an embedded SQLite file that
 * Deno opens too, or memory. Types bear the names that Deno gives them. Every difference from
 * `Deno.Kv` stands in docs/parity.md, every error code in docs/errors.md.
 *
 * Misuse (a wrong kind of argument, a limit exceeded) is a {@link KvMisuseError}, a failure of the
 * storage a {@link KvError}; both carry a stable `code`. Nothing is written by a call that fails
 * with either, but for the code `UNKNOWN_OUTCOME`, which says just that.
 *
 * @packageDocumentation
 */

// --- Keys and entries

/**
 * One part of a key. Parts sort by type, then by value: bytes, then strings (both bytewise, strings
 * as UTF-8), bigints, numbers (both numerically), false, true. The symbol is the one that
 * {@link Kv.commitVersionstamp} returns.
 *
 * A string with a lone surrogate is refused with `INVALID_KEY`, and so is a bigint of more than
 * 255 bytes. Any view of an ArrayBuffer is taken for its bytes and comes back as a `Uint8Array`.
 */
export type KvKeyPart = Uint8Array | string | number | bigint | boolean | symbol;

/** A key: one part or more. A shorter key sorts before its extensions. */
export type KvKey = readonly KvKeyPart[];

/** An entry of the store. */
export interface KvEntry<T> {
  key: KvKey;
  value: T;
  /** 20 hex digits; greater for every later commit to the same store. */
  versionstamp: string;
}

/** What a read of one key gives: the entry, or nulls when it is absent or has expired. */
export type KvEntryMaybe<T> = KvEntry<T> | { key: KvKey; value: null; versionstamp: null };

/**
 * Accepted for the sake of `Deno.Kv`: every read of this store is strong, whichever is asked for.
 */
export type KvConsistencyLevel = "strong" | "eventual";

/** An unsigned 64-bit integer, the kind of value that `sum`, `min` and `max` work on. */
export class KvU64 {
  /**
   * @param value 0 to 2^64 - 1
   * @throws {TypeError} `INVALID_ARGUMENT`: not a bigint
   * @throws {RangeError} `INVALID_ARGUMENT`: negative, or 2^64 and more
   */
  constructor(value: bigint);
  readonly value: bigint;
}

// --- Lists

/**
 * The range of a list, ends exclusive: every key below a prefix (the prefix itself is not), from
 * `start` on or up to `end` if given; or from `start` up to `end`.
 */
export type KvListSelector =
  | { prefix: KvKey }
  | { prefix: KvKey; start: KvKey }
  | { prefix: KvKey; end: KvKey }
  | { prefix: KvKey; start: KvKey; end: KvKey }
  | { start: KvKey; end: KvKey };

/** How a list is walked. An option given as undefined counts as not given. */
export interface KvListOptions {
  /** Most entries to give; a positive integer. All of them when not given. */
  limit?: number | undefined;
  /** Where to go on: the `cursor` of an earlier list of the same range. */
  cursor?: string | undefined;
  /** True to walk from the end of the range to its start. */
  reverse?: boolean | undefined;
  consistency?: KvConsistencyLevel | undefined;
  /**
   * Entries read at once, a positive integer of at most 1000; each batch is a snapshot of its own.
   * Not given it is the limit, but at most 500, or 100 without a limit.
   */
  batchSize?: number | undefined;
}

/**
 * The entries of a list in key order. It ends when the handle is closed, and can be walked on after
 * a `break`.
 */
export class KvListIterator<T> implements AsyncIterableIterator<KvEntry<T>> {
  private constructor();
  /**
   * Where to go on after the entry given last, for the `cursor` option of another list; `""` once
   * the range is used up. It outlives the deletion of that entry.
   *
   * @throws {TypeError} `INVALID_ARGUMENT`: before the first entry, unless a cursor was given
   */
  get cursor(): string;
  /**
   * Rejects with a TypeError `INVALID_SELECTOR` when start and end are in the wrong order or
   * outside the prefix, `INVALID_KEY`, `INVALID_CURSOR` or `LIMIT_EXCEEDED`; with a KvError
   * `CORRUPT_VALUE` at a stored value that does not decode: its `key` says which, and a list from
   * its `cursor` goes on past it.
   */
  next(): Promise<IteratorResult<KvEntry<T>, undefined>>;
  [Symbol.asyncIterator](): AsyncIterableIterator<KvEntry<T>>;
}

// --- Commits

/** Asserts that a key still has the versionstamp that was read; null asserts that it is absent. */
export interface AtomicCheck {
  key: KvKey;
  versionstamp: string | null;
}

/** One change of a commit; see the methods of {@link AtomicOperation}. */
export type KvMutation = { key: KvKey } & (
  | { type: "set"; value: unknown; expireIn?: number | undefined }
  | { type: "delete" }
  | { type: "sum"; value: KvU64 }
  | { type: "max"; value: KvU64 }
  | { type: "min"; value: KvU64 }
);

/** A commit that landed. */
export interface KvCommitResult {
  ok: true;
  /** Of the commit, and so of every entry it wrote. */
  versionstamp: string;
}

/** A commit that was refused because a check did not hold. Nothing was written. */
export interface KvCommitError {
  ok: false;
  /** The places of the checks that did not hold, counted from 0 in the order they were added. */
  failedChecks: number[];
}

/**
 * Checks and mutations that land together or not at all. All checks see the state before the
 * commit; mutations apply in order. Values are taken at the call that adds them. It can be
 * committed again, which runs all of it anew.
 */
export class AtomicOperation {
  private constructor();
  /** Adds checks. Errors in them are those of {@link AtomicOperation.commit}. */
  check(...checks: AtomicCheck[]): this;
  /**
   * Adds mutations.
   *
   * @throws {TypeError} `INVALID_ARGUMENT`: no mutation, an unknown type, a set, sum, min or max
   *   without a value, a delete with one; and what {@link AtomicOperation.set} throws
   */
  mutate(...mutations: KvMutation[]): this;
  /**
   * Adds `n` to the stored KvU64, modulo 2^64; `n` becomes the value where there is none. An entry
   * that expires keeps its time.
   *
   * @param n 0 to 2^64 - 1
   * @throws {TypeError} `INVALID_ARGUMENT`: `n` is not a bigint
   * @throws {RangeError} `INVALID_ARGUMENT`: `n` does not fit in 64 bits
   */
  sum(key: KvKey, n: bigint): this;
  /** Keeps the lesser of the stored KvU64 and `n`; otherwise as {@link AtomicOperation.sum}. */
  min(key: KvKey, n: bigint): this;
  /** Keeps the greater of the stored KvU64 and `n`; otherwise as {@link AtomicOperation.sum}. */
  max(key: KvKey, n: bigint): this;
  /**
   * Sets a value. A key that ends in {@link Kv.commitVersionstamp} ends in the versionstamp of the
   * commit, as a string.
   *
   * @param options `expireIn`: milliseconds from the call of `commit()`, an integer of 0 or more
   * @throws {TypeError} `INVALID_EXPIRY`, or `NOT_CLONEABLE`: a value that cannot be stored
   * @throws {RangeError} `NESTING_TOO_DEEP`
   */
  set(key: KvKey, value: unknown, options?: { expireIn?: number | undefined }): this;
  /** Deletes an entry, if it is there. */
  delete(key: KvKey): this;
  /**
   * Rejects with a TypeError `INVALID_KEY`, `INVALID_VERSIONSTAMP`, `INVALID_EXPIRY`,
   * `LIMIT_EXCEEDED`, or `TYPE_MISMATCH` when `sum`, `min` or `max` meets a value that is no KvU64;
   * with a KvError when the storage fails. In each case nothing of it is written, but for
   * `UNKNOWN_OUTCOME`.
   */
  commit(): Promise<KvCommitResult | KvCommitError>;
}

// --- The store

/** What a call may bring at most; Infinity is no limit. The defaults are those of Deno. */
export interface KvLimits {
  /** Encoded bytes of a key in a check or a mutation; 2048. */
  keyWriteBytes: number;
  /** Encoded bytes of either end of a range that is read, one more than of a key; 2049. */
  keyReadBytes: number;
  /** Bytes of a value as stored; 65 536. */
  valueBytes: number;
  /** Checks in a commit; 100. */
  checks: number;
  /** Mutations in a commit; 1000. */
  mutations: number;
  /** Keys in one `getMany`; 10. */
  keysPerGetMany: number;
  /** Entries in one batch of a list; 1000. */
  batchSize: number;
  /** Bytes of all keys and values of a commit; 819 200. */
  commitBytes: number;
  /** Bytes of the keys of those mutations of a commit that bring a value; 81 920. */
  commitKeyBytes: number;
}

/** An option given as undefined counts as not given; one that is not named here is refused. */
export interface KvOptions {
  /**
   * The present in milliseconds since 1970, asked at every operation: it decides what has expired.
   * `Date.now`, as it is at that moment, when not given. All programs on one file must agree on it.
   */
  now?: (() => number) | undefined;
  /**
   * `"full"`, the default: a commit is acknowledged once it is on the disk. `"normal"`: a power
   * loss may take the last commits back, in order, never a half one.
   */
  durability?: "full" | "normal" | undefined;
  /** Milliseconds to wait for other processes on the same file before `BUSY`; 10 000. */
  busyTimeoutMs?: number | undefined;
  /** Limits other than the defaults. */
  limits?: { [K in keyof KvLimits]?: KvLimits[K] | undefined } | undefined;
  /** Makes the stored bytes of a value in place of our own codec; goes with `decodeV8`. */
  encodeV8?: ((value: unknown) => Uint8Array) | undefined;
  /** Makes a value of its stored bytes in place of our own codec; goes with `encodeV8`. */
  decodeV8?: ((bytes: Uint8Array) => unknown) | undefined;
  /** Accepted for the sake of `@deno/kv`; it changes nothing. */
  debug?: boolean | undefined;
  /** Known from `@deno/kv`, for a store behind an address: refused with `UNSUPPORTED`. */
  accessToken?: string | undefined;
}

/**
 * Opens a store and waits until its file is there and of a known format.
 *
 * @param path of the file, created when absent; in memory when it is not given or `":memory:"`
 * @returns rejects as {@link Kv} throws, and with a {@link KvError} when the file cannot be opened,
 *   is locked or is of another format; docs/errors.md has each code
 */
export function openKv(path?: string, options?: KvOptions): Promise<Kv>;

/**
 * A handle on a store. A read sees every write that the same handle was asked for before it,
 * awaited or not. An expired entry is absent for every operation, at that millisecond.
 *
 * It does not keep the process alive; a pending operation does.
 */
export class Kv implements Disposable, AsyncDisposable {
  /**
   * Judges the arguments only: the file is opened by the first operation, which reports trouble as
   * {@link openKv} does.
   *
   * @param path of the file, created when absent; `":memory:"`, which is the default, for a store
   *   of its own in memory
   * @throws {TypeError} `INVALID_ARGUMENT`, `UNKNOWN_OPTION`, `UNSUPPORTED`
   * @throws {KvError} `NO_BINDING`: the native part for this machine is missing; its `tried` says
   *   where it was looked for
   */
  constructor(path?: string, options?: KvOptions);

  /**
   * Reads one entry.
   *
   * Rejects with a TypeError `INVALID_KEY`, `INVALID_ARGUMENT` or `LIMIT_EXCEEDED`; with a KvError
   * `CORRUPT_VALUE` when the stored value does not decode, or when the storage fails.
   */
  get<T = unknown>(
    key: KvKey,
    options?: { consistency?: KvConsistencyLevel | undefined },
  ): Promise<KvEntryMaybe<T>>;

  /**
   * Reads up to 10 entries from one snapshot, in the order of the keys. Rejects as {@link Kv.get}.
   */
  getMany<T extends readonly unknown[]>(
    keys: readonly [...{ [K in keyof T]: KvKey }],
    options?: { consistency?: KvConsistencyLevel | undefined },
  ): Promise<{ [K in keyof T]: KvEntryMaybe<T[K]> }>;

  /**
   * Sets a value: a commit of one mutation. The value is taken at the call.
   *
   * Rejects with what {@link AtomicOperation.set} throws and {@link AtomicOperation.commit} rejects
   * with.
   *
   * @param options `expireIn`: milliseconds from this call, an integer of 0 or more
   */
  set(
    key: KvKey,
    value: unknown,
    options?: { expireIn?: number | undefined },
  ): Promise<KvCommitResult>;

  /** Deletes an entry, if it is there: a commit of one mutation. Rejects as {@link Kv.set}. */
  delete(key: KvKey): Promise<void>;

  /**
   * Lists the entries of a range in key order. Nothing is read before the first `next()`.
   *
   * @throws {TypeError} `INVALID_SELECTOR`: neither a prefix nor both start and end;
   *   `INVALID_ARGUMENT`: a limit or batch size that is not a positive integer
   */
  list<T = unknown>(selector: KvListSelector, options?: KvListOptions): KvListIterator<T>;

  /** Begins a commit; nothing happens before its `commit()`. */
  atomic(): AtomicOperation;

  /**
   * The last part of a key to set, in whose place the versionstamp of the commit is put, as a
   * string. The same symbol for every handle.
   */
  commitVersionstamp(): symbol;

  /**
   * Frees the space of expired entries, which are absent already. Files are swept in the background
   * too, memory is not.
   *
   * @param now milliseconds since 1970; the handle's own `now` when not given
   * @returns how many entries went; rejects with a TypeError `INVALID_ARGUMENT`
   */
  sweepExpired(now?: number): Promise<number>;

  /**
   * Closes the handle; safe to repeat. Pending operations settle, resolved if and only if they
   * landed; lists end; later calls reject with a KvError `CLOSED`.
   */
  close(): void;
  [Symbol.dispose](): void;
  /** Closes the handle and waits until pending operations have settled. */
  [Symbol.asyncDispose](): Promise<void>;
}

// --- Errors

/** What misuse fails with. docs/errors.md says what each asks of the caller. */
export type KvMisuseCode =
  | "INVALID_ARGUMENT"
  | "UNKNOWN_OPTION"
  | "INVALID_KEY"
  | "INVALID_VERSIONSTAMP"
  | "INVALID_SELECTOR"
  | "INVALID_CURSOR"
  | "INVALID_EXPIRY"
  | "LIMIT_EXCEEDED"
  | "NOT_CLONEABLE"
  | "NESTING_TOO_DEEP"
  | "TYPE_MISMATCH"
  | "UNSUPPORTED";

/** What the storage fails with. docs/errors.md says what each asks of the caller. */
export type KvErrorCode =
  | "CLOSED"
  | "BUSY"
  | "CORRUPT"
  | "CORRUPT_VALUE"
  | "READ_ONLY"
  | "DISK_FULL"
  | "IO"
  | "NOT_A_DATABASE"
  | "CANT_OPEN"
  | "NO_BINDING"
  | "UNSUPPORTED_FORMAT"
  | "FILE_IN_USE"
  | "FILE_MOVED"
  | "UNKNOWN_OUTCOME"
  | "INTERNAL";

/** A failure of the storage. The native error, where there is one, is its `cause`. */
export class KvError extends Error {
  private constructor();
  readonly name: "KvError";
  readonly code: KvErrorCode;
  /** With `CORRUPT_VALUE` from a list: the entry whose value does not decode. */
  readonly key?: KvKey;
  /** With `CORRUPT_VALUE` and `CORRUPT` from a list: where to go on past the entry. */
  readonly cursor?: string;
  /** With `BUSY`: how long was waited, in milliseconds. */
  readonly waitedMs?: number;
  /** With `NO_BINDING`: each place that was tried, and why it failed. */
  readonly tried?: string[];
}

/** Misuse: an ordinary TypeError or RangeError, as Deno throws, with a stable code. */
export type KvMisuseError = (TypeError | RangeError) & {
  readonly code: KvMisuseCode;
  /** With `LIMIT_EXCEEDED`: the limit, as the option `limits` spells it. */
  readonly limit?: keyof KvLimits;
  /** With `LIMIT_EXCEEDED`: the most that is allowed. */
  readonly max?: number;
  /** With `LIMIT_EXCEEDED`: what the call brought. */
  readonly actual?: number;
  /** With `LIMIT_EXCEEDED` and `TYPE_MISMATCH`: the key at fault, where one is. */
  readonly key?: KvKey;
};

// --- The slice of Deno.Kv that code can be written against

/**
 * What a module needs of a store that it is handed: `Kv`, `Deno.Kv`, the `Kv` of `@deno/kv` and a
 * fake of a few lines all fit.
 */
export interface DenoKvLike {
  get<T = unknown>(
    key: KvKey,
  ): Promise<{ key: KvKey; value: T | null; versionstamp: string | null }>;
  set(key: KvKey, value: unknown, options?: { expireIn?: number }): Promise<KvCommitResult>;
  delete(key: KvKey): Promise<unknown>;
  list<T = unknown>(
    selector: { prefix: KvKey; start?: KvKey; end?: KvKey },
    options?: { limit?: number },
  ): AsyncIterableIterator<KvEntry<T>>;
  atomic(): DenoKvLikeAtomic;
}

/** What {@link DenoKvLike.atomic} begins. */
export interface DenoKvLikeAtomic {
  check(...checks: AtomicCheck[]): this;
  set(key: KvKey, value: unknown, options?: { expireIn?: number }): this;
  delete(key: KvKey): this;
  commit(): Promise<KvCommitResult | { ok: false }>;
}
