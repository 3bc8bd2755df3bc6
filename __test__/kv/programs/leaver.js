"use strict";

// Opens the file of its first argument and leaves in the way of its second. Each line tells how far
// it came.

const { Kv, openKv } = require("../../../index.js");

const say = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);

const LEAVE = {
  /** Ends with an open handle on which nothing is pending. */
  async idle(file) {
    const kv = await openKv(file);
    await kv.set(["k"], 1);
    await kv.get(["k"]);
    for await (const _ of kv.list({ prefix: [] }));
    say("idle");
  },
  /** Ends with a handle that was never used. */
  unused(file) {
    new Kv(file);
    say("unused");
  },
  /** Has nothing to live for but what is pending on the handle. */
  pending(file) {
    const kv = new Kv(file);
    kv.set(["k"], 1).then(() => say("set"));
    kv.get(["k"]).then(({ value }) => say(["get", value]));
    kv.list({ prefix: [] })
      .next()
      .then(({ value }) => say(["list", value.key]));
    kv.sweepExpired().then((count) => say(["swept", count]));
  },
  pendingOpen(file) {
    openKv(file).then(() => say("open"));
  },
  /** The same when the handle was closed meanwhile. */
  closed(file) {
    const kv = new Kv(file);
    kv.set(["k"], 1).then(() => say("set"));
    kv.close();
  },
  /** Is told to exit while commits are pending. */
  async exit(file) {
    const kv = await openKv(file);
    for (let i = 0; i < 1000; i++) kv.set(["k", i], "x".repeat(1000));
    say("exiting");
    process.exit(7);
  },
  /** Is told to exit while a commit waits for a lock that another process holds. */
  async exitWaiting(file) {
    const kv = await openKv(file);
    kv.set(["k"], 1);
    // By then the commit is on its way to the lock.
    setImmediate(() => {
      say("exiting");
      process.exit(7);
    });
  },
  async throw(file) {
    const kv = await openKv(file);
    kv.set(["k"], 1);
    throw new Error("thrown on purpose");
  },
  /** Waits to be terminated, with an open handle and commits that never end. */
  async busy(file) {
    const kv = await openKv(file);
    await kv.set(["ready"], 1);
    say("ready");
    for (let i = 0; ; i++) await Promise.all([kv.set(["k", i], i), kv.get(["k", i])]);
  },
};

LEAVE[process.argv[3]](process.argv[2]);
