/**
 * Per-id leases: one holder an id at a time, until it releases the lease or its time is up.
 *
 *     [...prefix, id] = { holder, until }        until: ms since the epoch
 *
 * The row's versionstamp is the proof of holding it: renew and release check that very stamp, so a
 * holder whose lease ran out and went to another can do nothing to its successor's. The deadline is
 * in the row as well as in `expireIn`, because a store may show an expired row for a while.
 *
 * Needs `get` and `atomic().check().set().delete().commit()` of the store.
 *
 * @typedef {{ key: unknown[], versionstamp: string | null }} Check
 * @typedef {{ id: string, holder: string, until: number, check: Check }} Lease
 *   Put `check` into a commit of your own and it only lands while the lease is still this one.
 */

/**
 * @param {object} options
 * @param options.kv the store
 * @param {unknown[]} [options.prefix] where the rows live
 * @param {number} [options.attempts] how often `acquire` looks before it gives up, at least 1
 * @param {number} [options.waitMs] pause between two looks, in milliseconds
 * @param {() => number} [options.now] milliseconds since the epoch
 * @param {(ms: number) => Promise<void>} [options.wait]
 */
export function createLeases({
  kv,
  prefix = ["leases"],
  attempts = 20,
  waitMs = 50,
  now = () => Date.now(),
  wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}) {
  /** Writes the lease over the row seen at `versionstamp`; null when another was quicker. */
  async function take(id, versionstamp, holder, ttlMs) {
    const key = [...prefix, id];
    const until = now() + ttlMs;
    const commit = await kv
      .atomic()
      .check({ key, versionstamp })
      .set(key, { holder, until }, { expireIn: ttlMs })
      .commit();
    return commit.ok
      ? { id, holder, until, check: { key, versionstamp: commit.versionstamp } }
      : null;
  }

  /**
   * Takes the lease of `id` for `ttlMs`, looking at most `attempts` times.
   *
   * @returns {Promise<{ ok: true, lease: Lease }
   *   | { ok: false, reason: "timeout", holder: string | null, until: number | null }>}
   *   on a timeout, who held it when last seen, and until when
   */
  async function acquire(id, holder, ttlMs) {
    let rival = { holder: null, until: null };
    for (let attempt = 1; ; attempt++) {
      const { value, versionstamp } = await kv.get([...prefix, id]);
      if (value === null || value.until <= now()) {
        const lease = await take(id, versionstamp, holder, ttlMs);
        if (lease !== null) return { ok: true, lease };
      } else {
        rival = value;
      }
      if (attempt >= attempts) return { ok: false, reason: "timeout", ...rival };
      await wait(waitMs);
    }
  }

  /**
   * Holds on for `ttlMs` from now. The lease given is used up; the one returned takes its place.
   *
   * @returns {Promise<{ ok: true, lease: Lease } | { ok: false, reason: "lost" }>}
   */
  async function renew({ id, holder, until, check }, ttlMs) {
    const lease = now() < until ? await take(id, check.versionstamp, holder, ttlMs) : null;
    return lease === null ? { ok: false, reason: "lost" } : { ok: true, lease };
  }

  /**
   * Gives the lease back. A lease that is no longer ours stays as it is.
   *
   * @returns {Promise<{ ok: true } | { ok: false, reason: "lost" }>}
   */
  async function release({ check }) {
    const { ok } = await kv.atomic().check(check).delete(check.key).commit();
    return ok ? { ok } : { ok, reason: "lost" };
  }

  return { acquire, renew, release };
}
