"use strict";

/**
 * The demo ends green only if its judge can see what goes wrong: a run without fault is tampered with
 * in one place at a time.
 */
const assert = require("node:assert/strict");
const { describe, it } = require("node:test");
const { FakeDenoKv } = require("../support/fake-kv.js");

describe("judge of the demo", async () => {
  const records = await import("../../examples/demo/records.mjs");
  const { keys, readRows, TICK_MS, MAX_ATTEMPTS } = records;
  const { verify } = await import("../../examples/demo/verify.mjs");

  /** The rows of a small run: m1 held by h2 when it was killed, m2 poison, an alarm set twice. */
  function faultless() {
    const deliveries = Array.from({ length: MAX_ATTEMPTS }, (_, i) => i + 1);
    return [
      [keys.sent("m1"), { work: "plain" }],
      [keys.delivered("m1", 1, "h2"), true],
      [keys.delivered("m1", 2, "h1"), true],
      [keys.done("m1", "h1"), 2],
      [keys.sent("m2"), { work: "poison" }],
      ...deliveries.map((attempt) => [keys.delivered("m2", attempt, "h1"), true]),
      [["queue", "dead", "m2"], { attempts: MAX_ATTEMPTS }],
      [keys.alarmSet("a", 50, "h1", 1), true],
      [keys.alarmSet("a", 70, "h2", 1), true],
      [keys.alarmFired("a", 70, "h1"), true],
      [keys.alarmSet("a", 90, "h1", 2), true],
      [keys.alarmFired("a", 90, "h3"), true],
      [keys.ticked(1, "h1"), true],
      [keys.ticked(2, "h3"), true],
      [keys.step("s", 1, "h2"), true],
      [keys.step("s", 2, "h3"), true],
      [keys.takeover("s", 2, "h3"), "h2"],
    ];
  }

  /** @returns {Promise<string[]>} what the judge finds after tampering with the faultless rows */
  async function faultsAfter({ without = [], also = [] }) {
    const kv = new FakeDenoKv();
    const gone = new Set(without.map((key) => JSON.stringify(key)));
    for (const [key, value] of faultless()) {
      if (!gone.has(JSON.stringify(key))) await kv.set(key, value);
    }
    for (const [key, value] of also) await kv.set(key, value);
    const killed = { host: "h2", messages: [{ id: "m1", attempt: 1 }], shards: ["s"] };
    const run = { killed, since: 0, until: 2 * TICK_MS };
    return verify(await readRows(kv), run).faults;
  }

  it("finds nothing in a run without fault", async () => {
    assert.deepEqual(await faultsAfter({}), []);
  });

  const dead = ["queue", "dead", "m2"];
  const tampered = {
    "a message that is neither done nor dead": {
      without: [keys.done("m1", "h1")],
      fault: /m1 ended 0 times as done, 0 times as dead/,
    },
    "a message done by two hosts": {
      also: [[keys.done("m1", "h3"), 2]],
      fault: /m1 ended 2 times as done/,
    },
    "an attempt claimed by two hosts": {
      also: [[keys.delivered("m1", 2, "h3"), true]],
      fault: /m1 was delivered as 1,2,2/,
    },
    "a message that the killed host held, never delivered again": {
      without: [keys.delivered("m1", 2, "h1")],
      fault: /m1 was not delivered again/,
    },
    "a message that nobody sent": {
      also: [[keys.done("m3", "h1"), 1]],
      fault: /m3 was never sent/,
    },
    "poison that was done": {
      without: [dead],
      also: [[keys.done("m2", "h1"), 1]],
      fault: /m2 is poison/,
    },
    "a message dead before its time": {
      also: [[dead, { attempts: 1 }]],
      fault: /m2 died after 1 attempts/,
    },
    "an alarm fired twice": {
      also: [[keys.alarmFired("a", 90, "h2"), true]],
      fault: /a fired for 90 while set to null/,
    },
    "an alarm fired that was replaced": {
      also: [[keys.alarmFired("a", 50, "h2"), true]],
      fault: /a fired for 50 while set to/,
    },
    "an alarm that never fired": {
      without: [keys.alarmFired("a", 90, "h3")],
      fault: /a never fired for 90/,
    },
    "a tick won by two hosts": {
      also: [[keys.ticked(2, "h1"), true]],
      fault: /cron ticks twice/,
    },
    "a tick that nobody won": {
      without: [keys.ticked(2, "h3")],
      fault: /1 cron ticks of 2/,
    },
    "two holders of one lease": {
      also: [[keys.step("s", 2, "h1"), true]],
      fault: /steps on s twice/,
    },
    "a lease of the killed host that nobody took over": {
      without: [keys.takeover("s", 2, "h3")],
      fault: /lease of s was not taken over/,
    },
  };
  for (const [name, { fault, ...tampering }] of Object.entries(tampered)) {
    it(`finds ${name}`, async () => {
      assert.match((await faultsAfter(tampering)).join("\n"), fault);
    });
  }
});
