/**
 * A durable queue with at-least-once delivery, shared by any number of pollers.
 *
 *     [...prefix, "message", id] = { payload, attempts, at }    at: ms since the epoch
 *     [...prefix, "due", at, id] = true
 *     [...prefix, "dead", id]    = { payload, attempts, reason, at }
 *
 * `at` is when the message may next be claimed. A claim moves it `visibilityMs` ahead, so when the
 * claimant dies the message becomes due again by itself. The versionstamp of the message row is the
 * receipt: an ack or nack that comes after a redelivery changes nothing. A message claimed
 * `maxAttempts` times without an ack becomes a dead letter.
 *
 * Needs `get`, `list` and `atomic().check().set().delete().commit()` of the store.
 *
 * @typedef {{ id: string, payload: unknown, attempt: number, at: number, check: object }} Message
 *   attempt counts from 1; at: until when the claim hides it from others; check: the receipt, which
 *   a message has once its claim has landed
 * @typedef {(op: object, message: Message) => void} AlsoWrite
 *   Adds writes to the very commit that claims or acks. It does nothing else: that commit may still
 *   lose to another.
 * @typedef {{ ok: true, outcome: "done" | "retry" | "dead" } | { ok: false, outcome: "lost" }} Settled
 *   lost: the claim ran out, and the message went to another meanwhile
 */

/**
 * @param {object} options
 * @param options.kv the store
 * @param {unknown[]} [options.prefix] where the rows live
 * @param {number} [options.visibilityMs] how long a claim hides a message from other pollers
 * @param {number} [options.maxAttempts] deliveries before a message becomes a dead letter
 * @param {(attempt: number) => number} [options.backoffMs] pause after the nth failed delivery
 * @param {() => number} [options.now] milliseconds since the epoch
 * @param {() => string} [options.newId]
 */
export function createQueue({
  kv,
  prefix = ["queue"],
  visibilityMs = 30_000,
  maxAttempts = 5,
  backoffMs = (attempt) => Math.min(1000 * 2 ** (attempt - 1), 60_000),
  now = () => Date.now(),
  newId = () => crypto.randomUUID(),
}) {
  const messageKey = (id) => [...prefix, "message", id];
  const dueKey = (at, id) => [...prefix, "due", at, id];
  const deadKey = (id) => [...prefix, "dead", id];

  /** Writes the message and its place in the index. */
  function put(op, id, { payload, attempts, at }) {
    return op.set(messageKey(id), { payload, attempts, at }).set(dueKey(at, id), true);
  }

  /** A commit that takes the message out as it was last seen; more may be added. */
  function take({ id, at, check }) {
    return kv.atomic().check(check).delete(check.key).delete(dueKey(at, id));
  }

  function bury(message, attempts, reason) {
    const { id, payload } = message;
    return take(message).set(deadKey(id), { payload, attempts, reason, at: now() });
  }

  /**
   * Adds a message to a commit of the caller, and so sends it if and only if that commit lands.
   *
   * @param {object} op an atomic operation of the store
   * @param {{ delayMs?: number }} [options]
   * @returns {string} the id of the message
   */
  function enqueueWith(op, payload, { delayMs = 0 } = {}) {
    const id = newId();
    put(op, id, { payload, attempts: 0, at: now() + delayMs });
    return id;
  }

  /**
   * Sends a message, to be delivered in `delayMs`.
   *
   * @param {{ delayMs?: number }} [options]
   * @returns {Promise<string>} the id of the message
   */
  async function enqueue(payload, options) {
    const op = kv.atomic();
    const id = enqueueWith(op, payload, options);
    await op.commit();
    return id;
  }

  /**
   * Claims up to `limit` messages that are due, the longest due first. Looks at no more than `scan`
   * of them, since rivals claim the same ones: with nothing claimed there may still be some due.
   *
   * @param {{ limit?: number, scan?: number, alsoWrite?: AlsoWrite }} [options]
   * @returns {Promise<Message[]>}
   */
  async function poll({ limit = 1, scan = limit + 16, alsoWrite } = {}) {
    const claimed = [];
    const due = { prefix: [...prefix, "due"], end: [...prefix, "due", now() + 1] };
    for await (const { key } of kv.list(due, { limit: scan })) {
      const [at, id] = key.slice(-2);
      const row = await kv.get(messageKey(id));
      if (row.value?.at !== at) continue; // claimed or settled since it was listed
      const message = await claim(id, row, alsoWrite);
      if (message !== null) claimed.push(message);
      if (claimed.length === limit) break;
    }
    return claimed;
  }

  /** Claims a due message, or buries it when its last claimant never came back. */
  async function claim(id, row, alsoWrite) {
    const { payload, attempts, at } = row.value;
    const seen = { id, payload, at, check: { key: row.key, versionstamp: row.versionstamp } };
    if (attempts >= maxAttempts) {
      await bury(seen, attempts, "no answer").commit();
      return null;
    }
    const message = { id, payload, attempt: attempts + 1, at: now() + visibilityMs };
    const op = put(take(seen), id, { payload, attempts: message.attempt, at: message.at });
    alsoWrite?.(op, message);
    const { ok, versionstamp } = await op.commit();
    return ok ? { ...message, check: { key: row.key, versionstamp } } : null;
  }

  async function settle(op, outcome) {
    return (await op.commit()).ok ? { ok: true, outcome } : { ok: false, outcome: "lost" };
  }

  /**
   * The message is dealt with.
   *
   * @param {Message} message as `poll` gave it
   * @param {{ alsoWrite?: AlsoWrite }} [options]
   * @returns {Promise<Settled>}
   */
  function ack(message, { alsoWrite } = {}) {
    const op = take(message);
    alsoWrite?.(op, message);
    return settle(op, "done");
  }

  /**
   * The message could not be dealt with: deliver it again after a pause, or bury it.
   *
   * @param {Message} message as `poll` gave it
   * @param {string} [reason] goes into the dead letter
   * @returns {Promise<Settled>}
   */
  function nack(message, reason = "refused") {
    const { id, payload, attempt } = message;
    if (attempt >= maxAttempts) return settle(bury(message, attempt, reason), "dead");
    const again = { payload, attempts: attempt, at: now() + backoffMs(attempt) };
    return settle(put(take(message), id, again), "retry");
  }

  /** The dead letters, in the order of their ids. */
  async function deadLetters({ limit = 100 } = {}) {
    const letters = [];
    for await (const { key, value } of kv.list({ prefix: [...prefix, "dead"] }, { limit })) {
      letters.push({ id: key.at(-1), ...value });
    }
    return letters;
  }

  return { enqueue, enqueueWith, poll, ack, nack, deadLetters };
}
