import { createAlarms } from "../../../examples/consumers/alarms.mjs";

export function alarmCases({ test, assert }) {
  const open = (kv, clock, options) => createAlarms({ kv, now: clock.now, ...options });

  test("fires when it is due, once, with its payload", async ({ kv, clock }) => {
    const alarms = open(kv, clock);
    const alarm = { id: "a", at: clock.now() + 100, payload: { n: 1 } };
    assert.equal(await alarms.set("a", alarm.at, alarm.payload), null);
    clock.advance(99);
    assert.deepEqual(await alarms.claimDue(), []);
    clock.advance(1);
    assert.deepEqual(await alarms.claimDue(), [alarm]);
    assert.deepEqual(await alarms.claimDue(), []);
    for await (const { key } of kv.list({ prefix: ["alarms"] })) assert.fail(`left behind: ${key}`);
  });

  test("setting it again replaces it, earlier or later or at the same time", async ({
    kv,
    clock,
  }) => {
    const alarms = open(kv, clock);
    const start = clock.now();
    await alarms.set("a", start + 50, "first");
    for (const [at, payload] of [
      [start + 90, "later"],
      [start + 20, "earlier"],
      [start + 20, "same"],
    ]) {
      assert.equal((await alarms.set("a", at, payload)).id, "a");
    }
    clock.advance(100);
    assert.deepEqual(await alarms.claimDue(), [{ id: "a", at: start + 20, payload: "same" }]);
    assert.deepEqual(await alarms.claimDue(), []);
  });

  test("a cancelled alarm does not fire", async ({ kv, clock }) => {
    const alarms = open(kv, clock);
    await alarms.set("a", clock.now(), "never");
    assert.equal((await alarms.cancel("a")).payload, "never");
    assert.equal(await alarms.cancel("a"), null);
    assert.deepEqual(await alarms.claimDue(), []);
  });

  test("due times are in numeric order, whatever their digits", async ({ kv, clock }) => {
    const alarms = open(kv, clock);
    const offsets = [0.5, 9, 10, 99, 100, 1_000, 1_024, 999_000, 1_000_000, 70_000_000];
    for (const offset of [...offsets].reverse()) {
      await alarms.set(`in ${offset}`, clock.now() + offset);
    }
    clock.advance(offsets.at(-2));
    const due = await alarms.claimDue();
    assert.deepEqual(
      due.map(({ id }) => id),
      offsets.slice(0, -1).map((offset) => `in ${offset}`),
    );
  });

  test("a claim looks at no more than its limit, the earliest first", async ({ kv, clock }) => {
    const alarms = open(kv, clock);
    for (const i of [3, 1, 4, 2, 5]) await alarms.set(`alarm ${i}`, clock.now() + i);
    clock.advance(10);
    const ids = async () => (await alarms.claimDue({ limit: 2 })).map(({ id }) => id);
    assert.deepEqual(await ids(), ["alarm 1", "alarm 2"]);
    assert.deepEqual(await ids(), ["alarm 3", "alarm 4"]);
    assert.deepEqual(await ids(), ["alarm 5"]);
  });

  test("of many pollers one claims each alarm", async ({ kv, rival, clock }) => {
    const pollers = [kv, await rival(), await rival()].map((handle) => open(handle, clock));
    for (let i = 0; i < 12; i++) await pollers[i % 3].set(`alarm ${i}`, clock.now() + (i % 4));
    clock.advance(10);
    const claims = await Promise.all([...pollers, ...pollers].map((poller) => poller.claimDue()));
    const left = await pollers[0].claimDue();
    const ids = [...claims.flat(), ...left].map(({ id }) => id).sort();
    assert.deepEqual(ids, Array.from({ length: 12 }, (_, i) => `alarm ${i}`).sort());
  });

  test("of a claim and a new setting both happen or the alarm is replaced", async ({
    kv,
    rival,
    clock,
  }) => {
    const [here, there] = [open(kv, clock), open(await rival(), clock)];
    const [early, late] = [clock.now(), clock.now() + 50];
    await here.set("a", early);
    const [claimed, replaced] = await Promise.all([there.claimDue(), here.set("a", late)]);
    assert.equal(claimed.length + (replaced === null ? 0 : 1), 1);
    clock.advance(50);
    assert.deepEqual(await here.claimDue(), [{ id: "a", at: late, payload: null }]);
  });

  test("many settings of one id at once leave one alarm", async ({ kv, rival, clock }) => {
    const handles = [kv, await rival()];
    const settings = Array.from({ length: 10 }, (_, i) =>
      open(handles[i % 2], clock).set("a", clock.now() + i, i),
    );
    const replaced = await Promise.all(settings);
    assert.equal(replaced.filter((alarm) => alarm === null).length, 1);
    clock.advance(100);
    const fired = await open(kv, clock).claimDue();
    const payloads = [...fired, ...replaced.filter(Boolean)].map(({ payload }) => payload);
    assert.deepEqual(payloads.sort(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert.equal(fired.length, 1);
  });

  test("rows written along land with the claim, and with no claim that lost", async ({
    kv,
    rival,
    clock,
  }) => {
    const handles = [kv, await rival(), kv];
    await open(kv, clock).set("a", clock.now(), "x");
    const claims = handles.map((handle, poller) =>
      open(handle, clock).claimDue({
        alsoWrite: (op, { id, payload }) => op.set(["fired", id, poller], payload),
      }),
    );
    const winner = (await Promise.all(claims)).findIndex((claimed) => claimed.length === 1);
    const rows = [];
    for await (const { key, value } of kv.list({ prefix: ["fired"] })) rows.push([key, value]);
    assert.deepEqual(rows, [[["fired", "a", winner], "x"]]);
  });

  test("a change that loses every commit gives up after its attempts", async ({ kv, clock }) => {
    let commits = 0;
    const refused = { ok: false };
    const op = { check: () => op, set: () => op, delete: () => op };
    op.commit = async () => (commits++, refused);
    const contended = { get: (key) => kv.get(key), atomic: () => op };
    const alarms = open(contended, clock, { attempts: 7 });
    await assert.rejects(alarms.set("a", 1), /7 commits in a row lost/);
    assert.equal(commits, 7);
  });

  test("ids do not touch each other", async ({ kv, clock }) => {
    const alarms = open(kv, clock);
    await alarms.set("a", clock.now());
    await alarms.set("b", clock.now());
    await alarms.cancel("a");
    assert.deepEqual(
      (await alarms.claimDue()).map(({ id }) => id),
      ["b"],
    );
  });
}
