/**
 * Cron ticks for many hosts: each tick of a schedule is won by one of them, and never again.
 *
 *     [...prefix, name, tick] = { host, at }        tick: whole periods since the epoch
 *
 * The row is the lock of its tick: the commit that writes it asserts that it was not there. Locks
 * expire, so old ones need no cleaning, but they outlive the time in which a late host may still
 * claim their tick at least twice, so no host comes back to a tick whose lock is gone.
 *
 * Needs `list` and `atomic().check().set().commit()` of the store.
 *
 * @typedef {{ name: string, tick: number, at: number }} Tick  at: when it came due, in ms
 * @typedef {(op: object, tick: Tick) => void} AlsoWrite
 *   Adds writes to the very commit that claims. It does nothing else: that commit may still lose.
 */

/**
 * @param {object} options
 * @param options.kv the store
 * @param {string} options.host who claims, for the reader of the rows
 * @param {unknown[]} [options.prefix] where the rows live
 * @param {number} [options.catchUp] ticks, the current one included, that a late host may still claim
 * @param {() => number} [options.now] milliseconds since the epoch
 */
export function createCron({ kv, host, prefix = ["cron"], catchUp = 10, now = () => Date.now() }) {
  /**
   * Claims the ticks of `name` that came due and that no host has claimed, the oldest first.
   *
   * @param {string} name of the schedule
   * @param {object} options
   * @param {number} options.everyMs the period
   * @param {number} options.since ticks due at or before this time are not ours to claim, in ms
   * @param {AlsoWrite} [options.alsoWrite]
   * @returns {Promise<Tick[]>} the ticks won
   */
  async function claimDue(name, { everyMs, since, alsoWrite }) {
    const current = Math.floor(now() / everyMs);
    const first = Math.max(Math.floor(since / everyMs) + 1, current - catchUp + 1);
    const taken = await ticksTaken(name, first);
    const won = [];
    for (let tick = first; tick <= current; tick++) {
      if (taken.has(tick)) continue;
      const claim = { name, tick, at: tick * everyMs };
      const key = [...prefix, name, tick];
      const op = kv
        .atomic()
        .check({ key, versionstamp: null })
        .set(key, { host, at: now() }, { expireIn: 2 * catchUp * everyMs });
      alsoWrite?.(op, claim);
      if ((await op.commit()).ok) won.push(claim);
    }
    return won;
  }

  async function ticksTaken(name, first) {
    const taken = new Set();
    const selector = { prefix: [...prefix, name], start: [...prefix, name, first] };
    for await (const { key } of kv.list(selector)) taken.add(key.at(-1));
    return taken;
  }

  return { claimDue };
}
