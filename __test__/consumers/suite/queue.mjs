import { createQueue } from "../../../examples/consumers/queue.mjs";

const VISIBILITY_MS = 1_000;

export function queueCases({ test, assert }) {
  const open = (kv, clock, options) =>
    createQueue({ kv, now: clock.now, visibilityMs: VISIBILITY_MS, maxAttempts: 3, ...options });

  /** The one message that is due. */
  async function claimOne(queue) {
    const [message, ...more] = await queue.poll({ limit: 2 });
    assert.equal(more.length, 0);
    return message;
  }

  test("a message is delivered, acked, and gone", async ({ kv, clock }) => {
    const queue = open(kv, clock);
    const id = await queue.enqueue({ hello: "world" });
    const message = await claimOne(queue);
    assert.deepEqual([message.id, message.payload, message.attempt], [id, { hello: "world" }, 1]);
    assert.deepEqual(await queue.ack(message), { ok: true, outcome: "done" });
    clock.advance(10 * VISIBILITY_MS);
    assert.equal(await claimOne(queue), undefined);
  });

  test("a delay is kept", async ({ kv, clock }) => {
    const queue = open(kv, clock);
    await queue.enqueue("later", { delayMs: 500 });
    clock.advance(499);
    assert.equal(await claimOne(queue), undefined);
    clock.advance(1);
    assert.equal((await claimOne(queue)).payload, "later");
  });

  test("the longest due comes first", async ({ kv, clock }) => {
    const queue = open(kv, clock);
    for (const delayMs of [1_000, 9, 100, 10, 999]) await queue.enqueue(delayMs, { delayMs });
    clock.advance(1_000);
    const polled = await queue.poll({ limit: 5 });
    assert.deepEqual(
      polled.map(({ payload }) => payload),
      [9, 10, 100, 999, 1_000],
    );
  });

  test("a claimed message is hidden until its claimant must be dead", async ({ kv, clock }) => {
    const queue = open(kv, clock);
    await queue.enqueue("x");
    assert.equal((await claimOne(queue)).attempt, 1);
    clock.advance(VISIBILITY_MS - 1);
    assert.equal(await claimOne(queue), undefined);
    clock.advance(1);
    const again = await claimOne(queue);
    assert.deepEqual([again.payload, again.attempt], ["x", 2]);
  });

  test("an ack or nack after a redelivery changes nothing", async ({ kv, clock }) => {
    const queue = open(kv, clock);
    await queue.enqueue("x");
    const stale = await claimOne(queue);
    clock.advance(VISIBILITY_MS);
    const fresh = await claimOne(queue);
    assert.deepEqual(await queue.ack(stale), { ok: false, outcome: "lost" });
    assert.deepEqual(await queue.nack(stale), { ok: false, outcome: "lost" });
    assert.deepEqual(await queue.ack(fresh), { ok: true, outcome: "done" });
    assert.deepEqual(await queue.ack(fresh), { ok: false, outcome: "lost" });
    clock.advance(10 * VISIBILITY_MS);
    assert.equal(await claimOne(queue), undefined);
  });

  test("a refused message comes back after a growing pause", async ({ kv, clock }) => {
    const backoffMs = (attempt) => 10 ** (attempt + 1);
    const queue = open(kv, clock, { backoffMs });
    await queue.enqueue("x");
    for (const [attempt, pause] of [
      [1, 100],
      [2, 1_000],
    ]) {
      const message = await claimOne(queue);
      assert.equal(message.attempt, attempt);
      assert.deepEqual(await queue.nack(message), { ok: true, outcome: "retry" });
      clock.advance(pause - 1);
      assert.equal(await claimOne(queue), undefined);
      clock.advance(1);
    }
    assert.equal((await claimOne(queue)).attempt, 3);
  });

  test("the pause doubles from a second to a minute unless told otherwise", async ({
    kv,
    clock,
  }) => {
    const queue = createQueue({ kv, now: clock.now, maxAttempts: 9 });
    await queue.enqueue("x");
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      await queue.nack(await claimOne(queue));
      clock.advance(seconds * 1_000 - 1);
      assert.equal(await claimOne(queue), undefined);
      clock.advance(1);
    }
    assert.equal((await claimOne(queue)).attempt, 9);
  });

  test("a message refused too often is a dead letter with its reason", async ({ kv, clock }) => {
    const queue = open(kv, clock, { backoffMs: () => 0 });
    const id = await queue.enqueue({ bad: true });
    const outcomes = [];
    for (let i = 0; i < 3; i++) {
      outcomes.push((await queue.nack(await claimOne(queue), `failure ${i}`)).outcome);
    }
    assert.deepEqual(outcomes, ["retry", "retry", "dead"]);
    const letter = { id, payload: { bad: true }, attempts: 3, reason: "failure 2" };
    assert.deepEqual(await queue.deadLetters(), [{ ...letter, at: clock.now() }]);
    clock.advance(1_000 * VISIBILITY_MS);
    assert.equal(await claimOne(queue), undefined);
  });

  test("a message whose claimants all die is a dead letter too", async ({ kv, clock }) => {
    const queue = open(kv, clock);
    await queue.enqueue("deadly");
    for (let i = 0; i < 3; i++) {
      assert.equal((await claimOne(queue)).attempt, i + 1);
      clock.advance(VISIBILITY_MS);
    }
    assert.equal(await claimOne(queue), undefined);
    const [letter, ...more] = await queue.deadLetters();
    assert.deepEqual([letter.payload, letter.attempts, letter.reason], ["deadly", 3, "no answer"]);
    assert.equal(more.length, 0);
  });

  test("a poll claims no more than its limit", async ({ kv, clock }) => {
    const queue = open(kv, clock);
    for (let i = 0; i < 5; i++) await queue.enqueue(i);
    const sizes = [];
    for (let i = 0; i < 4; i++) sizes.push((await queue.poll({ limit: 2 })).length);
    assert.deepEqual(sizes, [2, 2, 1, 0]);
  });

  test("a message claimed by another since it was listed is left to it", async ({ kv, clock }) => {
    const queue = open(kv, clock);
    await queue.enqueue("x");
    const overtaken = {
      get: (key) => kv.get(key),
      atomic: () => kv.atomic(),
      async *list(selector, options) {
        for await (const entry of kv.list(selector, options)) {
          assert.equal((await claimOne(queue)).attempt, 1);
          yield entry;
        }
      },
    };
    assert.equal(await claimOne(open(overtaken, clock)), undefined);
  });

  test("a message that is done or dead leaves nothing to scan", async ({ kv, clock }) => {
    const queue = open(kv, clock, { backoffMs: () => 0 });
    await queue.enqueue("good");
    await queue.ack(await claimOne(queue));
    await queue.enqueue("bad");
    for (let i = 0; i < 3; i++) await queue.nack(await claimOne(queue));
    const left = [];
    for await (const { key } of kv.list({ prefix: ["queue"] })) left.push(key[1]);
    assert.deepEqual(left, ["dead"]);
  });

  test("of many pollers one claims each message", async ({ kv, rival, clock }) => {
    const pollers = [kv, await rival(), await rival()].map((handle) => open(handle, clock));
    const sent = [];
    for (let i = 0; i < 15; i++) sent.push(await pollers[i % 3].enqueue(i, { delayMs: i % 4 }));
    clock.advance(10);
    const claimed = [];
    for (let idle = false; !idle;) {
      const polls = [...pollers, ...pollers].map((poller) => poller.poll({ limit: 2 }));
      const round = (await Promise.all(polls)).flat();
      claimed.push(...round);
      idle = round.length === 0;
    }
    assert.deepEqual(claimed.map(({ id }) => id).sort(), sent.sort());
    const acks = await Promise.all(claimed.map((message) => pollers[0].ack(message)));
    assert.ok(acks.every(({ ok }) => ok));
  });

  test("of two acks of one claim one counts", async ({ kv, rival, clock }) => {
    const [here, there] = [open(kv, clock), open(await rival(), clock)];
    await here.enqueue("x");
    const message = await claimOne(here);
    const acks = await Promise.all([here.ack(message), there.ack(message)]);
    assert.deepEqual(acks.map(({ outcome }) => outcome).sort(), ["done", "lost"]);
  });

  test("rows written along land with the claim and with the ack", async ({ kv, clock }) => {
    const queue = open(kv, clock);
    const id = await queue.enqueue("x");
    const claimed = (op, message) => op.set(["claimed", message.id, message.attempt], true);
    const [first] = await queue.poll({ alsoWrite: claimed });
    clock.advance(VISIBILITY_MS);
    const [second] = await queue.poll({ alsoWrite: claimed });
    const done = (op, message) => op.set(["done", message.id], message.attempt);
    await queue.ack(second, { alsoWrite: done });
    await queue.ack(first, { alsoWrite: done });
    const keys = [];
    for await (const { key } of kv.list({ prefix: ["claimed"] })) keys.push(key);
    assert.deepEqual(keys, [
      ["claimed", id, 1],
      ["claimed", id, 2],
    ]);
    assert.equal((await kv.get(["done", id])).value, 2);
  });

  test("a message is sent only if the commit that carries it lands", async ({ kv, clock }) => {
    const queue = open(kv, clock);
    const send = async (payload, versionstamp) => {
      const op = kv.atomic().check({ key: ["guard"], versionstamp });
      queue.enqueueWith(op, payload);
      await op.set(["guard"], payload).commit();
    };
    await send("sent", null);
    await send("not sent", null);
    assert.equal((await claimOne(queue)).payload, "sent");
  });

  test("messages and queues do not touch each other", async ({ kv, clock }) => {
    const [red, blue] = ["red", "blue"].map((name) => open(kv, clock, { prefix: [name] }));
    await red.enqueue("r");
    await blue.enqueue("b1");
    await blue.enqueue("b2");
    const polled = await blue.poll({ limit: 2 });
    await blue.ack(polled[0]);
    clock.advance(VISIBILITY_MS);
    assert.equal((await claimOne(blue)).payload, polled[1].payload);
    assert.equal((await claimOne(red)).payload, "r");
  });
}
