/**
 * One host of the demo, a process of its own: produces and delivers messages, sets and claims alarms,
 * claims cron ticks, and works on shards under leases, until it is told to stop.
 *
 *     node host.mjs <file> <name> <seed>
 *
 * From the parent: { start: since }, then { drain: true }, then { stop: true }.
 * To the parent: { ready: true }, { error: text }.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { openKv } from "fencekv";
import { createAlarms } from "../consumers/alarms.mjs";
import { createCron } from "../consumers/cron.mjs";
import { createLeases } from "../consumers/leases.mjs";
import { createQueue } from "../consumers/queue.mjs";
import { seededDice } from "./dice.mjs";
import { keys, LEASE_MS, MAX_ATTEMPTS, TICK_MS, VISIBILITY_MS } from "./records.mjs";

const [file, host, seed] = process.argv.slice(2);
const dice = seededDice(Number(seed));

const kv = await openKv(file);
const leases = createLeases({ kv, attempts: 3, waitMs: 20 });
const alarms = createAlarms({ kv });
const cron = createCron({ kv, host, catchUp: 40 });
const queue = createQueue({
  kv,
  visibilityMs: VISIBILITY_MS,
  maxAttempts: MAX_ATTEMPTS,
  backoffMs: (attempt) => 100 * 2 ** (attempt - 1),
});

let producing = true;
let stopping = false;

/** Adds a message to a commit, with the row that says it was sent. */
function send(op, work) {
  op.set(keys.sent(queue.enqueueWith(op, { work })), { work, host });
}

async function produce() {
  if (!producing) return;
  const luck = dice.upTo(100);
  const op = kv.atomic();
  send(op, luck < 5 ? "poison" : luck < 15 ? "flaky" : "plain");
  await op.commit();
}

async function deliver() {
  const messages = await queue.poll({
    limit: 4,
    alsoWrite: (op, { id, attempt }) => op.set(keys.delivered(id, attempt, host), true),
  });
  for (const message of messages) {
    await sleep(dice.between(5, 30));
    const { work } = message.payload;
    if (work === "poison" || (work === "flaky" && message.attempt === 1)) {
      await queue.nack(message, `${work} work failed`);
    } else {
      await queue.ack(message, {
        alsoWrite: (op, { id }) => op.set(keys.done(id, host), message.attempt),
      });
    }
  }
}

let settings = 0;
async function setAlarm() {
  if (!producing) return;
  const id = `alarm ${dice.upTo(12)}`;
  const n = ++settings;
  await alarms.set(id, Date.now() + dice.between(50, 900), n, {
    alsoWrite: (op, { at }) => op.set(keys.alarmSet(id, at, host, n), true),
  });
}

/** What follows from an alarm is a message, sent by the commit that claims the alarm. */
async function claimAlarms() {
  await alarms.claimDue({
    alsoWrite: (op, { id, at }) => {
      op.set(keys.alarmFired(id, at, host), true);
      send(op, "alarm");
    },
  });
}

let since;
async function claimTicks() {
  await cron.claimDue("tick", {
    everyMs: TICK_MS,
    since,
    alsoWrite: (op, { tick }) => op.set(keys.ticked(tick, host), true),
  });
}

/** Some steps on a shard under its lease. A shard found open was left so by a holder that is gone. */
async function workOnShard() {
  const shard = `shard ${dice.upTo(3)}`;
  const taken = await leases.acquire(shard, host, LEASE_MS);
  if (!taken.ok) return;
  let { lease } = taken;
  const key = keys.shard(shard);
  let { steps, openedBy } = (await kv.get(key)).value ?? { steps: 0, openedBy: null };

  for (let left = dice.between(4, 8); left > 0; left--) {
    steps += 1;
    const op = kv
      .atomic()
      .check(lease.check)
      .set(key, { steps, openedBy: host })
      .set(keys.step(shard, steps, host), true);
    if (openedBy !== null && openedBy !== host) {
      op.set(keys.takeover(shard, steps, host), openedBy);
    }
    if (!(await op.commit()).ok) return;
    openedBy = host;
    await sleep(dice.between(10, 40));
    const renewed = await leases.renew(lease, LEASE_MS);
    if (!renewed.ok) return;
    lease = renewed.lease;
  }
  await kv.atomic().check(lease.check).set(key, { steps, openedBy: null }).commit();
  await leases.release(lease);
}

async function repeat(pauseMs, round) {
  while (!stopping) {
    await round().catch((error) => process.send({ error: `${round.name}: ${error.message}` }));
    await sleep(pauseMs);
  }
}

async function work() {
  await Promise.all([
    repeat(40, produce),
    repeat(15, deliver),
    repeat(70, setAlarm),
    repeat(40, claimAlarms),
    repeat(60, claimTicks),
    repeat(10, workOnShard),
  ]);
  await claimTicks(); // those due since the last round
  await kv.close();
  process.disconnect();
}

process.on("message", (message) => {
  if (message.start !== undefined) {
    since = message.start;
    work();
  }
  if (message.drain) producing = false;
  if (message.stop) stopping = true;
});
process.on("disconnect", () => process.exit(stopping ? 0 : 1)); // nobody is left to stop us
process.send({ ready: true });
