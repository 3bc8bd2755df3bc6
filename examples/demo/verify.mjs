/**
 * The judge of the demo: pure functions from the rows that the hosts left to figures and faults.
 */
import { MAX_ATTEMPTS, rowsUnder, TICK_MS } from "./records.mjs";

/**
 * @typedef {object} Run
 * @property {{ host: string, messages: { id: string, attempt: number }[], shards: string[] }} killed
 *   the host that was killed and what it held just then
 * @property {number} since ticks after this time had to be claimed, in ms
 * @property {number} until and up to this one
 */

/**
 * What a host that is gone held: messages it had claimed and not answered, shards it had open.
 *
 * @param {Map} rows as of `readRows`
 * @returns {Run["killed"]}
 */
export function heldBy(host, rows) {
  const messages = rowsUnder(rows, "queue", "message")
    .map(({ key, value }) => ({ id: key[2], attempt: value.attempts }))
    .filter(({ id, attempt }) => deliveryOf(rows, id, attempt).includes(host));
  const shards = (rows.get("shard") ?? [])
    .filter(({ key, value }) => value.openedBy === host && holderOf(rows, key[1]) === host)
    .map(({ key }) => key[1]);
  return { host, messages, shards };
}

/** The hosts that got the nth delivery of a message; more than one is a fault. */
function deliveryOf(rows, id, attempt) {
  return (rows.get("delivered") ?? [])
    .filter(({ key }) => key[1] === id && key[2] === attempt)
    .map(({ key }) => key[3]);
}

function holderOf(rows, id) {
  return rowsUnder(rows, "leases", id)[0]?.value.holder;
}

/**
 * Judges the whole run.
 *
 * @param {Map} rows as of `readRows`, after all hosts have ended
 * @param {Run} run
 * @returns {{ lines: [string, number | string, string][], faults: string[] }}
 *   lines: what, how many, and a remark
 */
export function verify(rows, run) {
  const faults = [];
  const expect = (holds, fault) => {
    if (!holds) faults.push(fault);
  };
  const lines = [
    ...judgeMessages(rows, run, expect),
    ...judgeAlarms(rows, expect),
    ...judgeTicks(rows, run, expect),
    ...judgeLeases(rows, run, expect),
  ];
  return { lines, faults };
}

function judgeMessages(rows, { killed }, expect) {
  const sent = rows.get("sent") ?? [];
  const delivered = groupBy(rows.get("delivered"), ({ key }) => key[1]);
  const done = groupBy(rows.get("done"), ({ key }) => key[1]);
  const dead = groupBy(rowsUnder(rows, "queue", "dead"), ({ key }) => key[2]);

  for (const { key, value } of sent) {
    const id = key[1];
    const attempts = (delivered.get(id) ?? []).map(({ key }) => key[2]);
    expect(isCount(attempts), `message ${id} was delivered as ${attempts}`);
    const timesDone = done.get(id)?.length ?? 0;
    const timesDead = dead.get(id)?.length ?? 0;
    expect(
      timesDone + timesDead === 1,
      `message ${id} ended ${timesDone} times as done, ${timesDead} times as dead`,
    );
    expect(value.work !== "poison" || timesDead === 1, `message ${id} is poison and is not dead`);
  }
  for (const [id, [{ value }]] of dead) {
    expect(value.attempts === MAX_ATTEMPTS, `message ${id} died after ${value.attempts} attempts`);
  }
  const known = new Set(sent.map(({ key }) => key[1]));
  for (const id of [...delivered.keys(), ...done.keys(), ...dead.keys()]) {
    expect(known.has(id), `message ${id} was never sent`);
  }
  expect(killed.messages.length > 0, `${killed.host} held no message when it was killed`);
  const again = killed.messages.filter(({ id, attempt }) => {
    const answered = deliveryOf(rows, id, attempt + 1).length > 0 || dead.has(id);
    expect(answered, `message ${id} was not delivered again after the kill`);
    return answered;
  });
  return [
    ["messages sent", sent.length, "each done once or dead"],
    ["deliveries claimed", rows.get("delivered")?.length ?? 0, "each attempt by one host"],
    ["redelivered after the kill", again.length, `of ${killed.messages.length} held then`],
    ["dead letters", dead.size, `each after ${MAX_ATTEMPTS} attempts`],
  ];
}

/** Versionstamps order the settings and firings of a slot as they were committed. */
function judgeAlarms(rows, expect) {
  const set = rows.get("alarm set") ?? [];
  const fired = rows.get("alarm fired") ?? [];
  let replaced = 0;
  for (const [id, events] of groupBy([...set, ...fired], ({ key }) => key[1])) {
    events.sort((a, b) => (a.versionstamp < b.versionstamp ? -1 : 1));
    let pending = null;
    for (const { key } of events) {
      const [kind, , at] = key;
      if (kind === "alarm set") {
        if (pending !== null) replaced += 1;
        pending = at;
      } else {
        expect(pending === at, `${id} fired for ${at} while set to ${pending}`);
        pending = null;
      }
    }
    expect(pending === null, `${id} never fired for ${pending}`);
  }
  return [
    ["alarms set", set.length, `${replaced} replaced before they were due`],
    ["alarms fired", fired.length, "none twice, none missing"],
  ];
}

function judgeTicks(rows, { since, until }, expect) {
  const ticks = (rows.get("ticked") ?? []).map(({ key }) => key[1]);
  const first = Math.floor(since / TICK_MS) + 1;
  const expected = Math.floor(until / TICK_MS) - first + 1;
  expect(ticks.length >= expected, `${ticks.length} cron ticks of ${expected}`);
  expect(isCount(ticks, first), `cron ticks twice or missing: ${ticks}`);
  return [["cron ticks", ticks.length, "none twice, none missing"]];
}

function judgeLeases(rows, { killed }, expect) {
  const steps = groupBy(rows.get("step"), ({ key }) => key[1]);
  for (const [shard, taken] of steps) {
    const numbers = taken.map(({ key }) => key[2]);
    expect(isCount(numbers), `steps on ${shard} twice or missing: ${numbers}`);
  }
  const takeovers = rows.get("takeover") ?? [];
  expect(killed.shards.length > 0, `${killed.host} held no lease when it was killed`);
  for (const shard of killed.shards) {
    const fromKilled = takeovers.some(
      ({ key, value }) => key[1] === shard && value === killed.host,
    );
    expect(fromKilled, `the lease of ${shard} was not taken over from ${killed.host}`);
  }
  return [
    ["steps under leases", rows.get("step")?.length ?? 0, "one holder at a time"],
    [
      "leases taken over",
      takeovers.length,
      `${killed.host} held ${killed.shards.length} when killed`,
    ],
  ];
}

/** Whether the numbers are first, first + 1, ... in this order, none twice and none missing. */
function isCount(numbers, first = 1) {
  return numbers.length > 0 && numbers.every((number, i) => number === first + i);
}

function groupBy(entries = [], nameOf) {
  const groups = new Map();
  for (const entry of entries) {
    const name = nameOf(entry);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(entry);
  }
  return groups;
}
