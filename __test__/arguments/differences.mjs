// Where fencekv answers a case otherwise than Deno, on purpose. `row` is the first cell of the row
// in docs/parity.md that says so. The test fails when a difference fits no case any more, and when
// a case fits two.
//
// A difference is { row, fits(name, deno), expected(deno, name) }; what is expected is an outcome as
// outcome.mjs makes it, or several that are right. Without a code any one of docs/errors.md will do.

const SEEDED = ['["seed", "u64"] = KvU64(5)', '["seed", 1] = "one"', '["seed", 2] = "two"'];

const LANDED = "{ ok: true, versionstamp: <versionstamp> }";

/** An error, in the manner given or else in Deno's own. */
const fails = (error, code, manner) => (deno) => ({ manner: manner ?? deno.manner, error, code });

/** A promise resolved. */
const gives =
  (value, ...added) =>
  () => ({
    manner: "resolves",
    value,
    ...(added.length > 0 && { left: [...added, ...SEEDED].sort() }),
  });

const returns = (value) => () => ({ manner: "returns", value });

/** A value that cannot be cloned: `set` rejects, the builder throws. */
const notCloneable = (deno, name) =>
  fails("TypeError", "NOT_CLONEABLE", name.startsWith("set:") ? "rejects" : "throws")(deno);

const named = (pattern) => (name) => pattern.test(name);

const platformObjects =
  "URL|URLSearchParams|Headers|Response|Request|Blob|FormData|AbortSignal|EventTarget|TextEncoder|URL in an object";
const noArrays =
  "string|empty string|number|boolean|bigint|symbol|function|plain object|array-like object|" +
  "empty array-like object|set|iterator|typed array|proxy of an array";

export const differences = [
  {
    row: "Lone surrogates in a key",
    fits: named(/: key \[(lone (high|low) surrogate|surrogates in the wrong order)\]$/),
    expected: fails("TypeError", "INVALID_KEY", "rejects"),
  },
  {
    row: "The empty key in `get` and `getMany`",
    fits: named(/^(get|getMany): key \[\]$/),
    expected: fails("TypeError", "INVALID_KEY", "rejects"),
  },
  {
    row: "A getter in a key that throws",
    fits: named(/: key \[throwing getter\]$/),
    expected: fails("EvalError", undefined, "rejects"),
  },
  {
    row: "Keys given to `atomic()`",
    fits: named(/^atomic: the key (changed|made wrong) after set$/),
    expected: gives(LANDED, '["k"] = 1'),
  },
  {
    row: "An array of keys for `getMany`",
    fits: named(/^getMany: keys (number|plain object|array-like object|set|generator)$/),
    expected: fails("TypeError", "INVALID_ARGUMENT", "rejects"),
  },
  {
    row: "Platform objects (URL, Headers, Response, Blob, ...)",
    fits: named(new RegExp(`: value (${platformObjects})$`)),
    expected: notCloneable,
  },
  {
    row: "Shared memory",
    fits: named(/: value .*(SharedArrayBuffer|on shared memory)$/),
    expected: notCloneable,
  },
  {
    row: "Bytes given to `atomic().set`",
    fits: named(/^atomic: the bytes changed after set$/),
    expected: gives(LANDED, '["k"] = Uint8Array[1]'),
  },
  {
    row: "A detached Uint8Array",
    fits: named(/: value detached Uint8Array$/),
    expected: notCloneable,
  },
  {
    row: "An object made with KvU64's prototype",
    fits: named(/: value object with KvU64's prototype$/),
    expected: (deno, name) =>
      gives(LANDED, '["k"] = {  }', ...(name.startsWith("set:") ? [] : ['["x"] = 1']))(),
  },
  {
    row: "`Object.prototype.toString` of a KvU64",
    fits: named(/^KvU64 toStringTag$/),
    expected: returns('"[object KvU64]"'),
  },
  {
    row: "A refused commit",
    fits: (name, deno) => deno.value?.includes("{ ok: false }") === true,
    expected: (deno) => ({
      ...deno,
      value: deno.value.replace("{ ok: false }", "{ ok: false, failedChecks: [0] }"),
    }),
  },
  {
    row: "A commit that fails half way",
    fits: (name, deno) => /^mutate (sum|min|max): value/.test(name) && deno.error === "TypeError",
    expected: fails("TypeError", "INVALID_ARGUMENT"),
  },
  {
    row: "`mutate` with `sum` of a plain number or bigint",
    fits: named(/^mutate sum: value (number|bigint)$/),
    expected: fails("TypeError", "INVALID_ARGUMENT", "rejects"),
  },
  {
    row: "`expireIn` in `mutate`",
    fits: named(
      /^mutate set: options expireIn (null|numeric string|string|bigint|boolean|symbol|Date|array|object)$/,
    ),
    expected: fails("TypeError", "INVALID_EXPIRY", "throws"),
  },
  {
    row: "An entry whose time has come",
    fits: named(/: options expireIn -?0$/),
    expected: (deno, name) =>
      name.startsWith("set:") ? gives(LANDED)() : gives(LANDED, '["x"] = 1')(),
  },
  {
    row: "A selector with prefix, start and end",
    fits: named(/^list: selector prefix, start and end$/),
    expected: () => ({
      manner: "resolves",
      value: '[{ key: ["seed", 1], value: "one", versionstamp: <versionstamp> }]',
    }),
  },
  {
    row: "A selector with prefix, start and end",
    fits: named(/^list: selector prefix, start (after end|and end, start outside)$/),
    expected: fails("TypeError", "INVALID_SELECTOR", "rejects"),
  },
  {
    row: "A selector with prefix, start and end",
    fits: named(/^list, not walked: selector prefix, start (and|after) end/),
    expected: returns("undefined"),
  },
  {
    row: "Keys of a selector that are no arrays",
    fits: named(new RegExp(`^list (prefix|start|end): key (null|${noArrays})$`)),
    expected: fails("TypeError", "INVALID_KEY", "rejects"),
  },
  {
    row: "Keys of a selector that are no arrays",
    fits: named(/^list: selector .+ null$/),
    expected: fails("TypeError", "INVALID_KEY", "rejects"),
  },
  {
    row: "Keys of a selector that are no arrays",
    fits: named(/^list, not walked: selector .+ null$/),
    expected: returns("undefined"),
  },
  {
    row: "Class of errors in `limit`, `batchSize`, `cursor`",
    fits: (name, deno) => /^list.*(options|cursor)/.test(name) && deno.error === "Error",
    expected: fails("TypeError"),
  },
  {
    row: "Under a prefix",
    fits: named(/^list: selector prefix, start below by a zero$/),
    expected: fails("TypeError", "INVALID_SELECTOR", "rejects"),
  },
  {
    row: "`new AtomicOperation()`",
    fits: named(/^new AtomicOperation from its instance$/),
    expected: fails("TypeError", "INVALID_ARGUMENT", "throws"),
  },
  {
    row: "`new Kv()`",
    fits: named(/^new Kv$/),
    expected: () => ({ manner: "resolves", value: '"opened"' }),
  },
  {
    row: "Arguments of `openKv`",
    fits: named(/^openKv: unknown option$/),
    expected: fails("TypeError", "UNKNOWN_OPTION", "rejects"),
  },
  {
    row: "A file that cannot be opened",
    fits: named(/^openKv: a folder/),
    expected: fails("KvError", "CANT_OPEN"),
  },
  {
    row: "Errors of a closed store",
    fits: (name, deno) =>
      deno.error === "BadResource" && !/^closed: close$|^close: list/.test(name),
    expected: fails("KvError", "CLOSED"),
  },
  {
    row: "`close()` again",
    fits: named(/^closed: close$/),
    expected: returns("undefined"),
  },
  {
    row: "A list at `close()`",
    fits: named(/^close: list made before$/),
    expected: () => ({ manner: "resolves", value: "[]" }),
  },
  {
    row: "A list at `close()`",
    fits: named(/^close: list begun before, batch used up$/),
    expected: () => ({ manner: "resolves", value: "[]" }),
  },
  {
    row: "What is pending at `close()`",
    fits: named(/^close: set pending$/),
    expected: () => [
      gives(LANDED, '["k"] = 1')(),
      { manner: "rejects", error: "KvError", code: "CLOSED" },
    ],
  },
  {
    row: "What is pending at `close()`",
    fits: named(/^close: get pending$/),
    expected: gives('{ key: ["seed", 1], value: "one", versionstamp: <versionstamp> }'),
  },
  {
    row: "What is pending at `close()`",
    fits: named(/^close: next pending$/),
    expected: gives(
      '{ done: false, value: { key: ["seed", "u64"], value: KvU64(5), versionstamp: <versionstamp> } }',
    ),
  },
  {
    row: "`next` of a list called on something else",
    fits: named(/^list next: taken off its iterator$/),
    expected: fails("TypeError", undefined, "throws"),
  },
];
