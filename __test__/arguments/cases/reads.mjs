// get, getMany and list: everything but the key itself.

const seed = ["seed", 1];

/** Label -> maker of the second argument of `get` and `getMany`, also part of `list`'s options. */
const consistencies = {
  null: () => null,
  number: () => 5,
  string: () => "strong",
  "unknown option": () => ({ consistence: "eventual" }),
  "consistency undefined": () => ({ consistency: undefined }),
  "consistency null": () => ({ consistency: null }),
  "consistency strong": () => ({ consistency: "strong" }),
  "consistency eventual": () => ({ consistency: "eventual" }),
  "consistency weak": () => ({ consistency: "weak" }),
  "consistency STRONG": () => ({ consistency: "STRONG" }),
  "consistency empty string": () => ({ consistency: "" }),
  "consistency number": () => ({ consistency: 5 }),
  "consistency object": () => ({ consistency: {} }),
  "consistency symbol": () => ({ consistency: Symbol("strong") }),
};

/** Label -> maker of the first argument of `getMany`. */
const manyArguments = {
  undefined: () => undefined,
  null: () => null,
  string: () => "ab",
  number: () => 5,
  "plain object": () => ({}),
  "array-like object": () => ({ 0: seed, length: 1 }),
  set: () => new Set([seed]),
  generator: () =>
    (function* () {
      yield seed;
    })(),
  "one key instead of keys": () => seed,
  "[]": () => [],
  "[hole]": () => new Array(1),
  "[undefined]": () => [undefined],
  "[string]": () => ["a"],
  "the same key twice": () => [seed, seed],
  "10 keys": () => Array.from({ length: 10 }, (_, i) => ["seed", i]),
  "11 keys": () => Array.from({ length: 11 }, (_, i) => ["seed", i]),
  "1000 keys": () => Array.from({ length: 1000 }, (_, i) => ["seed", i]),
};

/** Label -> maker of the first argument of `list`. */
const selectors = {
  undefined: () => undefined,
  null: () => null,
  string: () => "seed",
  number: () => 5,
  symbol: () => Symbol("selector"),
  array: () => ["seed"],
  "{}": () => ({}),
  "inherited prefix": () => Object.create({ prefix: ["seed"] }),
  "unknown member": () => ({ prefix: ["seed"], from: ["seed", 1] }),
  "prefix undefined": () => ({ prefix: undefined }),
  "prefix null": () => ({ prefix: null }),
  "prefix []": () => ({ prefix: [] }),
  "prefix [] and start []": () => ({ prefix: [], start: [] }),
  "start without end": () => ({ start: ["seed", 1] }),
  "end without start": () => ({ end: ["seed", 1] }),
  "start and end undefined": () => ({ start: ["seed", 1], end: undefined }),
  "start and end null": () => ({ start: ["seed", 1], end: null }),
  "prefix, start undefined": () => ({ prefix: ["seed"], start: undefined, end: undefined }),
  "prefix, start null": () => ({ prefix: ["seed"], start: null }),
  "prefix, end null": () => ({ prefix: ["seed"], end: null }),
  "prefix, start and end": () => ({ prefix: ["seed"], start: ["seed", 1], end: ["seed", 2] }),
  "prefix, start after end": () => ({ prefix: ["seed"], start: ["seed", 3], end: ["seed", 2] }),
  "prefix, start and end, start outside": () => ({
    prefix: ["seed"],
    start: ["other"],
    end: ["seed", 2],
  }),
  "start []": () => ({ start: [], end: ["z"] }),
  "end []": () => ({ start: [], end: [] }),
  "start equals end": () => ({ start: ["seed", 1], end: ["seed", 1] }),
  "start after end": () => ({ start: ["seed", 2], end: ["seed", 1] }),
  "prefix, start outside": () => ({ prefix: ["seed"], start: ["other", 1] }),
  "prefix, end outside": () => ({ prefix: ["seed"], end: ["other", 1] }),
  "prefix, start above all": () => ({ prefix: ["seed"], start: ["zzz"] }),
  "prefix, start equals prefix": () => ({ prefix: ["seed"], start: ["seed"] }),
  "prefix, end equals prefix": () => ({ prefix: ["seed"], end: ["seed"] }),
  "prefix, start shares bytes only": () => ({ prefix: ["se"], start: ["seed", 1] }),
  "prefix, start below by a zero": () => ({ prefix: ["p"], start: ["p\0b"] }),
  "throwing getter": () => ({
    get prefix() {
      throw new EvalError("from the getter");
    },
  }),
};

/** Label -> maker of the second argument of `list`, on the prefix ["seed"] with three entries. */
const listOptions = {
  ...consistencies,
  undefined: () => undefined,
  "unknown option": () => ({ max: 1 }),
  "limit undefined": () => ({ limit: undefined }),
  "limit null": () => ({ limit: null }),
  "limit 0": () => ({ limit: 0 }),
  "limit -1": () => ({ limit: -1 }),
  "limit 1.5": () => ({ limit: 1.5 }),
  "limit 0.5": () => ({ limit: 0.5 }),
  "limit NaN": () => ({ limit: NaN }),
  "limit Infinity": () => ({ limit: Infinity }),
  "limit 2^31": () => ({ limit: 2 ** 31 }),
  "limit 2^53": () => ({ limit: 2 ** 53 }),
  "limit numeric string": () => ({ limit: "2" }),
  "limit string": () => ({ limit: "two" }),
  "limit bigint": () => ({ limit: 2n }),
  "limit true": () => ({ limit: true }),
  "limit symbol": () => ({ limit: Symbol("limit") }),
  "limit object": () => ({ limit: {} }),
  "limit 501": () => ({ limit: 501 }),
  "batchSize undefined": () => ({ batchSize: undefined }),
  "batchSize null": () => ({ batchSize: null }),
  "batchSize 0": () => ({ batchSize: 0 }),
  "batchSize -1": () => ({ batchSize: -1 }),
  "batchSize 1": () => ({ batchSize: 1 }),
  "batchSize 1.5": () => ({ batchSize: 1.5 }),
  "batchSize 0.5": () => ({ batchSize: 0.5 }),
  "batchSize NaN": () => ({ batchSize: NaN }),
  "batchSize Infinity": () => ({ batchSize: Infinity }),
  "batchSize 500": () => ({ batchSize: 500 }),
  "batchSize 501": () => ({ batchSize: 501 }),
  "batchSize 1000": () => ({ batchSize: 1000 }),
  "batchSize 1001": () => ({ batchSize: 1001 }),
  "batchSize 2^32": () => ({ batchSize: 2 ** 32 }),
  "batchSize 2^32 + 1": () => ({ batchSize: 2 ** 32 + 1 }),
  "batchSize numeric string": () => ({ batchSize: "2" }),
  "batchSize string": () => ({ batchSize: "two" }),
  "batchSize bigint": () => ({ batchSize: 2n }),
  "batchSize true": () => ({ batchSize: true }),
  "batchSize object": () => ({ batchSize: {} }),
  "batchSize 1001 with limit 1": () => ({ batchSize: 1001, limit: 1 }),
  "reverse undefined": () => ({ reverse: undefined }),
  "reverse null": () => ({ reverse: null }),
  "reverse true": () => ({ reverse: true }),
  "reverse 0": () => ({ reverse: 0 }),
  "reverse 1": () => ({ reverse: 1 }),
  "reverse string": () => ({ reverse: "true" }),
  "reverse empty string": () => ({ reverse: "" }),
  "reverse object": () => ({ reverse: {} }),
  "reverse symbol": () => ({ reverse: Symbol("reverse") }),
  "cursor undefined": () => ({ cursor: undefined }),
  "cursor null": () => ({ cursor: null }),
  "cursor empty string": () => ({ cursor: "" }),
  "cursor number": () => ({ cursor: 5 }),
  "cursor 0": () => ({ cursor: 0 }),
  "cursor true": () => ({ cursor: true }),
  "cursor object": () => ({ cursor: {} }),
  "cursor symbol": () => ({ cursor: Symbol("cursor") }),
  "cursor Uint8Array": () => ({ cursor: new Uint8Array([73]) }),
  "cursor not base64": () => ({ cursor: "!!!" }),
  "cursor not ASCII": () => ({ cursor: "\u20ac" }),
  "cursor in base64 with +": () => ({ cursor: "+/A=" }),
  "cursor without padding": () => ({ cursor: "If8" }),
  "cursor with excess padding": () => ({ cursor: "If8==" }),
  "cursor of 1 byte": () => ({ cursor: "IQ==" }),
  "cursor that is no key": () => ({ cursor: "_w==" }),
  "cursor of the last entry": () => ({ cursor: "IcAIAAAAAAAA" }),
};

/** Cursors as they come out of one list and go into another with a different range. */
const cursorSelectors = {
  "another prefix": { prefix: ["z"] },
  "a range": { start: ["a"], end: ["z"] },
  "a range that ends before it": { start: ["a"], end: ["b"] },
  "a range that starts after it": { start: ["x"], end: ["z"] },
  "a prefix with start after it": { prefix: ["seed"], start: ["seed", 3] },
  "a prefix with end before it": { prefix: ["seed"], end: ["seed", 2] },
};

/** @param {(list: AsyncIterable<unknown>) => Promise<unknown[]>} drain */
export function readCases(drain) {
  const of = (what, table, call) =>
    Object.entries(table).map(([label, make]) => ({
      name: `${what} ${label}`,
      call: (kv) => call(kv, make()),
    }));
  const cursorOfSecond = async (kv) => {
    const list = kv.list({ prefix: ["seed"] });
    await list.next();
    await list.next();
    return list.cursor;
  };
  return [
    { name: "get: no arguments", call: (kv) => kv.get() },
    ...of("get: options", consistencies, (kv, options) => kv.get(seed, options)),
    { name: "getMany: no arguments", call: (kv) => kv.getMany() },
    ...of("getMany: keys", manyArguments, (kv, keys) => kv.getMany(keys)),
    ...of("getMany: options", consistencies, (kv, options) => kv.getMany([seed], options)),
    { name: "delete: no arguments", call: (kv) => kv.delete() },
    { name: "delete: options", call: (kv) => kv.delete(["absent"], { expireIn: "x" }) },
    { name: "list: no arguments", call: (kv) => drain(kv.list()) },
    ...of("list: selector", selectors, (kv, selector) => drain(kv.list(selector))),
    ...of("list, not walked: selector", selectors, (kv, selector) => {
      kv.list(selector);
    }),
    ...of("list: options", listOptions, (kv, options) =>
      drain(kv.list({ prefix: ["seed"] }, options)),
    ),
    ...of("list, not walked: options", listOptions, (kv, options) => {
      kv.list({ prefix: ["seed"] }, options);
    }),
    ...Object.entries(cursorSelectors).flatMap(([label, selector]) =>
      [false, true].map((reverse) => ({
        name: `list: cursor of ["seed", 2] in ${label}${reverse ? ", reverse" : ""}`,
        call: async (kv) => drain(kv.list(selector, { reverse, cursor: await cursorOfSecond(kv) })),
      })),
    ),
    {
      name: "list: cursor before the first step",
      call: (kv) => kv.list({ prefix: ["seed"] }).cursor,
    },
    {
      name: "list: cursor before the first step, with a cursor given",
      call: (kv) => kv.list({ prefix: ["seed"] }, { cursor: "If8=" }).cursor,
    },
    {
      name: "list: cursor at the end",
      call: async (kv) => {
        const list = kv.list({ prefix: ["seed"] });
        await drain(list);
        return list.cursor;
      },
    },
    {
      name: "list: cursor at the limit",
      call: async (kv) => {
        const list = kv.list({ prefix: ["seed"] }, { limit: 2 });
        await drain(list);
        return list.cursor;
      },
    },
    {
      name: "list: next after the end",
      call: async (kv) => {
        const list = kv.list({ prefix: ["seed"] });
        await drain(list);
        return list.next();
      },
    },
    {
      name: "list: setting cursor",
      engine: true,
      call: (kv) => {
        kv.list({ prefix: ["seed"] }).cursor = "x";
      },
    },
  ];
}
