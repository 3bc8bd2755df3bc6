/**
 * Alarms: one slot an id, and an index of all slots in order of their due time.
 *
 *     [...prefix, "alarm", id]   = { at, payload }      at: ms since the epoch
 *     [...prefix, "due", at, id] = true
 *
 * Both rows change in one commit that checks the slot, so the index never disagrees with the slots,
 * setting an alarm replaces the earlier one of that id, and of many pollers one claims it.
 *
 * Needs `get`, `list` and `atomic().check().set().delete().commit()` of the store.
 *
 * @typedef {{ id: string, at: number, payload: unknown }} Alarm
 * @typedef {(op: object, alarm: Alarm) => void} AlsoWrite
 *   Adds writes to the very commit that changes the alarm. It does nothing else: that commit may
 *   still lose to another, and is then built again.
 */

/**
 * @param {object} options
 * @param options.kv the store
 * @param {unknown[]} [options.prefix] where the rows live
 * @param {number} [options.attempts] commits that `set` or `cancel` may lose to others in a row
 * @param {() => number} [options.now] milliseconds since the epoch
 */
export function createAlarms({ kv, prefix = ["alarms"], attempts = 50, now = () => Date.now() }) {
  const slotKey = (id) => [...prefix, "alarm", id];
  const dueKey = (at, id) => [...prefix, "due", at, id];

  /** A commit that empties the slot as it was seen; more may be added. */
  function clear(slot, id) {
    const op = kv.atomic().check(slot).delete(slot.key);
    return slot.value === null ? op : op.delete(dueKey(slot.value.at, id));
  }

  /** Runs the commit that `build` makes of the slot, again when another was quicker. */
  async function change(id, build) {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const slot = await kv.get(slotKey(id));
      const { ok } = await build(slot).commit();
      if (ok) return slot.value === null ? null : { id, ...slot.value };
    }
    throw new Error(`alarm ${id}: ${attempts} commits in a row lost to others`);
  }

  /**
   * Sets the alarm of `id` to `at`, instead of any earlier one.
   *
   * @param {{ alsoWrite?: AlsoWrite }} [options]
   * @returns {Promise<Alarm | null>} the alarm that this one replaced
   */
  function set(id, at, payload = null, { alsoWrite } = {}) {
    return change(id, (slot) => {
      const op = clear(slot, id).set(slot.key, { at, payload }).set(dueKey(at, id), true);
      alsoWrite?.(op, { id, at, payload });
      return op;
    });
  }

  /** @returns {Promise<Alarm | null>} the alarm that will not fire now */
  function cancel(id) {
    return change(id, (slot) => clear(slot, id));
  }

  /**
   * Claims alarms that are due, the earliest first. Each alarm set is claimed once; who must not
   * lose it when the claimant dies writes down what follows from it in `alsoWrite`.
   *
   * @param {{ limit?: number, alsoWrite?: AlsoWrite }} [options] limit: due alarms to look at
   * @returns {Promise<Alarm[]>}
   */
  async function claimDue({ limit = 20, alsoWrite } = {}) {
    const claimed = [];
    const due = { prefix: [...prefix, "due"], end: [...prefix, "due", now() + 1] };
    for await (const { key } of kv.list(due, { limit })) {
      const [at, id] = key.slice(-2);
      const slot = await kv.get(slotKey(id));
      if (slot.value?.at !== at) continue; // claimed or replaced since it was listed
      const alarm = { id, ...slot.value };
      const op = clear(slot, id);
      alsoWrite?.(op, alarm);
      if ((await op.commit()).ok) claimed.push(alarm);
    }
    return claimed;
  }

  return { set, cancel, claimDue };
}
