// The handle itself: constructors, foreign receivers, closing, and calls on a closed handle.

const seed = ["seed", 1];

/** Label -> a call on a handle that was closed before. */
const afterClose = (drain) => ({
  get: (kv) => kv.get(seed),
  "get of a bad key": (kv) => kv.get([{}]),
  getMany: (kv) => kv.getMany([seed]),
  "getMany of nothing": (kv) => kv.getMany([]),
  set: (kv) => kv.set(["k"], 1),
  "set of a function": (kv) => kv.set(["k"], () => {}),
  delete: (kv) => kv.delete(seed),
  list: (kv) => drain(kv.list({ prefix: ["seed"] })),
  "list, not walked": (kv) => {
    kv.list({ prefix: ["seed"] });
  },
  "list of a bad selector": (kv) => drain(kv.list({})),
  atomic: (kv) => {
    kv.atomic();
  },
  "atomic commit": (kv) => kv.atomic().set(["k"], 1).commit(),
  "atomic commit of nothing": (kv) => kv.atomic().commit(),
  commitVersionstamp: (kv) => typeof kv.commitVersionstamp(),
  close: (kv) => kv.close(),
  dispose: (kv) => kv[Symbol.dispose](),
});

/** Label -> what was begun before `close` and is looked at after it. */
const acrossClose = (drain) => ({
  "atomic built before": (kv) => {
    const op = kv.atomic().set(["k"], 1);
    kv.close();
    return op.commit();
  },
  "list made before": (kv) => {
    const list = kv.list({ prefix: ["seed"] });
    kv.close();
    return drain(list);
  },
  "list begun before, batch at hand": async (kv) => {
    const list = kv.list({ prefix: ["seed"] });
    await list.next();
    kv.close();
    return drain(list);
  },
  "list begun before, batch used up": async (kv) => {
    const list = kv.list({ prefix: ["seed"] }, { batchSize: 1 });
    await list.next();
    kv.close();
    return drain(list);
  },
  "next pending": (kv) => {
    const pending = kv.list({ prefix: ["seed"] }).next();
    kv.close();
    return pending;
  },
  "get pending": (kv) => {
    const pending = kv.get(seed);
    kv.close();
    return pending;
  },
  "set pending": (kv) => {
    const pending = kv.set(["k"], 1);
    kv.close();
    return pending;
  },
});

const receivers = ["get", "getMany", "set", "delete", "list", "atomic", "close"];

/** @param {(list: AsyncIterable<unknown>) => Promise<unknown[]>} drain */
export function handleCases(drain) {
  return [
    ...Object.entries(afterClose(drain)).map(([label, call]) => ({
      name: `closed: ${label}`,
      closes: true,
      call: (kv) => {
        kv.close();
        return call(kv);
      },
    })),
    ...Object.entries(acrossClose(drain)).map(([label, call]) => ({
      name: `close: ${label}`,
      closes: true,
      races: label.endsWith("pending"),
      call,
    })),
    ...receivers.map((method) => ({
      name: `${method}: taken off its handle`,
      engine: true,
      call: (kv) => {
        const detached = kv[method];
        return detached(method === "list" ? { prefix: ["seed"] } : seed, 1);
      },
    })),
    ...receivers.map((method) => ({
      name: `${method}: on a foreign object`,
      engine: true,
      call: (kv) =>
        kv[method].call(
          Object.create(Object.getPrototypeOf(kv)),
          method === "list" ? { prefix: ["seed"] } : seed,
          1,
        ),
    })),
    ...["check", "mutate", "set", "delete", "sum", "min", "max", "commit"].map((method) => ({
      name: `atomic ${method}: taken off its operation`,
      engine: true,
      call: (kv) => {
        const detached = kv.atomic()[method];
        return detached(
          { check: { key: seed, versionstamp: null }, mutate: { type: "delete", key: seed } }[
            method
          ] ?? seed,
          1n,
        );
      },
    })),
    {
      name: "list next: taken off its iterator",
      engine: true,
      call: (kv) => {
        const { next } = kv.list({ prefix: ["seed"] });
        return next();
      },
    },
    { name: "Kv without new", engine: true, call: (kv, api) => api.Kv() },
    { name: "new Kv", call: (kv, api) => opened(new api.Kv()) },
    { name: "new Kv: a number", call: (kv, api) => new api.Kv(1) },
    { name: "new Kv: null", call: (kv, api) => new api.Kv(null) },
    { name: "new Kv: an object", call: (kv, api) => new api.Kv({}) },
    {
      name: "new AtomicOperation from its instance",
      call: (kv) => new (kv.atomic().constructor)().set(["k"], 1).commit(),
    },
    {
      name: "new KvListIterator from its instance",
      call: (kv) => drain(new (kv.list({ prefix: ["seed"] }).constructor)()),
    },
    { name: "openKv: a number", call: (kv, api) => opened(api.openKv(5)) },
    { name: "openKv: an object", call: (kv, api) => opened(api.openKv({})) },
    { name: "openKv: an array", call: (kv, api) => opened(api.openKv([])) },
    { name: "openKv: a symbol", call: (kv, api) => opened(api.openKv(Symbol("path"))) },
    { name: "openKv: a function", call: (kv, api) => opened(api.openKv(() => {})) },
    { name: "openKv: true", call: (kv, api) => opened(api.openKv(true)) },
    { name: "openKv: an empty string", call: (kv, api) => opened(api.openKv("")) },
    { name: "openKv: a name in colons", call: (kv, api) => opened(api.openKv(":cache:")) },
    { name: "openKv: path with a zero", call: (kv, api) => opened(api.openKv("a\0b")) },
    {
      name: "openKv: a folder that is not there",
      call: (kv, api) => opened(api.openKv("./absent/folder/app.db")),
    },
    { name: "openKv: a folder", call: (kv, api) => opened(api.openKv(".")) },
    { name: "openKv: :memory:", call: (kv, api) => opened(api.openKv(":memory:")) },
    {
      name: "openKv: unknown option",
      call: (kv, api) => opened(api.openKv(":memory:", { cache: 1 })),
    },
  ];
}

/** Closes a handle that a case opened beside the one it was given. */
const opened = async (handle) => {
  (await handle).close();
  return "opened";
};
