// The builder of an atomic operation: checks, mutations, numbers, counts and totals.

const seed = ["seed", 1];

/** Label -> maker of a versionstamp for a check. */
const versionstamps = {
  undefined: () => undefined,
  null: () => null,
  "empty string": () => "",
  number: () => 1,
  bigint: () => 1n,
  object: () => ({}),
  symbol: () => Symbol("versionstamp"),
  "Uint8Array of 10": () => new Uint8Array(10),
  "Uint8Array of 20": () => new Uint8Array(20).fill(48),
  "18 digits": () => "0".repeat(18),
  "19 digits": () => "0".repeat(19),
  "20 digits": () => "0".repeat(20),
  "21 digits": () => "0".repeat(21),
  "22 digits": () => "0".repeat(22),
  "20 letters g": () => "g".repeat(20),
  "uppercase hex": () => "00000000000000AB0000",
  "lowercase hex": () => "00000000000000ab0000",
  "last four not zero": () => "00000000000000010001",
  "20 characters, not ASCII": () => "0".repeat(19) + "\u00e9",
  "20 bytes of UTF-8": () => "0".repeat(18) + "\u00e9",
  "leading space": () => " " + "0".repeat(19),
  "all f": () => "f".repeat(20),
};

/** Label -> maker of the argument of `check`. */
const checks = {
  undefined: () => undefined,
  null: () => null,
  string: () => "seed",
  number: () => 5,
  array: () => [seed, null],
  "{}": () => ({}),
  "no key": () => ({ versionstamp: null }),
  "no versionstamp": () => ({ key: ["absent"] }),
  "no versionstamp, key there": () => ({ key: seed }),
  "unknown member": () => ({ key: ["absent"], versionstamp: null, value: 1 }),
  "throwing getter": () => ({
    get key() {
      throw new EvalError("from the getter");
    },
  }),
};

/** Label -> maker of the argument of `mutate`. */
const mutations = {
  undefined: () => undefined,
  null: () => null,
  string: () => "set",
  number: () => 5,
  "{}": () => ({}),
  "no type": () => ({ key: ["k"], value: 1 }),
  "type null": () => ({ key: ["k"], type: null, value: 1 }),
  "type unknown": () => ({ key: ["k"], type: "add", value: 1 }),
  "type SET": () => ({ key: ["k"], type: "SET", value: 1 }),
  "type setSuffixVersionstampedKey": () => ({
    key: ["k"],
    type: "setSuffixVersionstampedKey",
    value: 1,
  }),
  "type String object": () => ({ key: ["k"], type: new String("set"), value: 1 }),
  "set without key": () => ({ type: "set", value: 1 }),
  "set without value": () => ({ key: ["k"], type: "set" }),
  "set with value undefined": () => ({ key: ["k"], type: "set", value: undefined }),
  "set with inherited value": () => ({ __proto__: { value: 1 }, key: ["k"], type: "set" }),
  "set with unknown member": () => ({ key: ["k"], type: "set", value: 1, ttl: 5 }),
  "delete without key": () => ({ type: "delete" }),
  "delete with value": () => ({ key: ["k"], type: "delete", value: 1 }),
  "delete with value 0": () => ({ key: ["k"], type: "delete", value: 0 }),
  "delete with value undefined": () => ({ key: ["k"], type: "delete", value: undefined }),
  "delete with expireIn": () => ({ key: ["k"], type: "delete", expireIn: "x" }),
};

/** Label -> maker of the value of a `sum`, `min` or `max` given to `mutate`. */
const operands = {
  undefined: () => undefined,
  null: () => null,
  number: () => 1,
  bigint: () => 1n,
  string: () => "1",
  "object like a KvU64": () => ({ value: 1n }),
  Uint8Array: () => new Uint8Array(8),
  KvU64: (api) => new api.KvU64(1n),
};

/** Label -> maker of the number given to `sum`, `min` and `max`. */
const numbers = {
  undefined: () => undefined,
  null: () => null,
  number: () => 1,
  NaN: () => NaN,
  string: () => "1",
  boolean: () => true,
  symbol: () => Symbol("n"),
  "Object(1n)": () => Object(1n),
  KvU64: (api) => new api.KvU64(1n),
  "-1n": () => -1n,
  "0n": () => 0n,
  "2^64 - 1": () => 2n ** 64n - 1n,
  "2^64": () => 2n ** 64n,
};

const of = (what, table, call) =>
  Object.entries(table).map(([label, make]) => ({
    name: `${what} ${label}`,
    call: (kv, api) => call(kv.atomic().set(["x"], 1), make(api)).commit(),
  }));

/** An operation with `count` parts, each made by `add`. */
const many = (name, count, add) => ({
  name,
  call: (kv, api) => {
    const op = kv.atomic();
    for (let i = 0; i < count; i++) add(op, i, api);
    return op.commit();
  },
});

const numeric = ["sum", "min", "max"].flatMap((type) => [
  ...of(`${type}: number`, numbers, (op, n) => op[type](["k"], n)),
  ...of(`mutate ${type}: value`, operands, (op, value) => op.mutate({ type, key: ["k"], value })),
  {
    name: `mutate ${type}: no value`,
    call: (kv) =>
      kv
        .atomic()
        .mutate({ type, key: ["k"] })
        .commit(),
  },
  {
    name: `mutate ${type}: expireIn`,
    call: (kv, api) =>
      kv
        .atomic()
        .mutate({ type, key: ["k"], value: new api.KvU64(1n), expireIn: "x" })
        .commit(),
  },
  {
    name: `${type} on a number`,
    call: (kv) => kv.atomic()[type](seed, 1n).commit(),
  },
  {
    name: `${type} on bytes`,
    call: async (kv) => {
      await kv.set(["k"], new Uint8Array(8));
      return kv.atomic()[type](["k"], 1n).commit();
    },
    writesFirst: true,
  },
  { name: `${type} on a KvU64`, call: (kv) => kv.atomic()[type](["seed", "u64"], 7n).commit() },
  {
    name: `${type} of a key ending in commitVersionstamp`,
    call: (kv) => kv.atomic()[type](["k", kv.commitVersionstamp()], 1n).commit(),
  },
]);

const counts = [
  many("atomic: nothing", 0),
  many("atomic: 100 checks", 100, (op, i) => op.check({ key: ["absent", i], versionstamp: null })),
  many("atomic: 101 checks", 101, (op, i) => op.check({ key: ["absent", i], versionstamp: null })),
  many("atomic: 1000 mutations", 1000, (op, i) => op.set(["k", i], i)),
  many("atomic: 1001 mutations", 1001, (op, i) => op.set(["k", i], i)),
  many("atomic: 1001 deletes", 1001, (op, i) => op.delete(["k", i])),
  many("atomic: 12 values of 60 000 bytes", 12, (op, i) =>
    op.set(["k", i], new Uint8Array(60_000)),
  ),
  many("atomic: 14 values of 60 000 bytes", 14, (op, i) =>
    op.set(["k", i], new Uint8Array(60_000)),
  ),
  many("atomic: 40 keys of 2000 bytes", 40, (op, i) => op.set(["k".repeat(1980), i], 1)),
  many("atomic: 42 keys of 2000 bytes", 42, (op, i) => op.set(["k".repeat(1980), i], 1)),
  many("atomic: 42 deletes of 2000 bytes", 42, (op, i) => op.delete(["k".repeat(1980), i])),
  many("atomic: 42 checks of 2000 bytes", 42, (op, i) =>
    op.check({ key: ["k".repeat(1980), i], versionstamp: null }),
  ),
];

const builder = [
  { name: "atomic: commit twice", call: (kv) => commitTwice(kv.atomic().set(["k"], 1)) },
  {
    name: "atomic: commit twice with a check of absence",
    call: (kv) =>
      commitTwice(
        kv
          .atomic()
          .check({ key: ["k"], versionstamp: null })
          .set(["k"], 1),
      ),
  },
  {
    name: "atomic: commit twice with a versionstamped key",
    call: (kv) => commitTwice(kv.atomic().set(["k", kv.commitVersionstamp()], 1)),
  },
  {
    name: "atomic: awaited without commit",
    call: async (kv) => {
      await kv.atomic().set(["k"], 1);
    },
  },
  { name: "atomic: then called", call: (kv) => kv.atomic().then(() => {}) },
  { name: "atomic: arguments", call: (kv) => kv.atomic({ key: ["k"] }).commit() },
  { name: "atomic: check without arguments", call: (kv) => kv.atomic().check().commit() },
  { name: "atomic: mutate without arguments", call: (kv) => kv.atomic().mutate().commit() },
  { name: "atomic: sum without arguments", call: (kv) => kv.atomic().sum().commit() },
  { name: "atomic: delete without arguments", call: (kv) => kv.atomic().delete().commit() },
  {
    name: "atomic: a failing check and a bad key",
    call: (kv) => kv.atomic().check({ key: seed, versionstamp: null }).set([{}], 1).commit(),
  },
  {
    name: "atomic: a failing check and a failing sum",
    call: (kv) => kv.atomic().check({ key: seed, versionstamp: null }).sum(seed, 1n).commit(),
  },
  {
    name: "atomic: the key changed after set",
    call: (kv) => {
      const key = ["k"];
      const op = kv.atomic().set(key, 1);
      key[0] = "changed";
      return op.commit();
    },
  },
  {
    name: "atomic: the key made wrong after set",
    call: (kv) => {
      const key = ["k"];
      const op = kv.atomic().set(key, 1);
      key[0] = {};
      return op.commit();
    },
  },
  {
    name: "atomic: the value changed after set",
    call: (kv) => {
      const value = { a: 1 };
      const op = kv.atomic().set(["k"], value);
      value.a = 2;
      return op.commit();
    },
  },
  {
    name: "atomic: the bytes changed after set",
    call: (kv) => {
      const bytes = new Uint8Array([1]);
      const op = kv.atomic().set(["k"], bytes);
      bytes[0] = 2;
      return op.commit();
    },
  },
  {
    name: "atomic: the check changed after check",
    call: (kv) => {
      const check = { key: seed, versionstamp: null };
      const op = kv.atomic().check(check).set(["k"], 1);
      check.key = ["absent"];
      return op.commit();
    },
  },
  {
    name: "atomic: a chain goes on after a refused part",
    call: (kv) => {
      const op = kv.atomic().set(["k"], 1);
      try {
        op.set(["bad"], () => {});
      } catch {
        // The builder is used further on purpose.
      }
      return op.commit();
    },
  },
];

const commitTwice = async (op) => [await op.commit(), await op.commit()];

export function atomicCases() {
  return [
    ...of("check: versionstamp", versionstamps, (op, versionstamp) =>
      op.check({ key: ["absent"], versionstamp }),
    ),
    ...of("check:", checks, (op, check) => op.check(check)),
    ...of("mutate:", mutations, (op, mutation) => op.mutate(mutation)),
    ...numeric,
    ...counts,
    ...builder,
  ];
}
