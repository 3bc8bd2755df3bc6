/**
 * What the hosts of the demo write down beside the rows of the consumer modules. Each of these rows
 * is written in the very commit that it tells of, and its key names the host, so two hosts that do
 * the same thing twice leave two rows, not one.
 */
export const keys = {
  sent: (id) => ["sent", id],
  delivered: (id, attempt, host) => ["delivered", id, attempt, host],
  done: (id, host) => ["done", id, host],
  alarmSet: (id, at, host, n) => ["alarm set", id, at, host, n],
  alarmFired: (id, at, host) => ["alarm fired", id, at, host],
  ticked: (tick, host) => ["ticked", tick, host],
  step: (shard, n, host) => ["step", shard, n, host],
  takeover: (shard, n, host) => ["takeover", shard, n, host],
  shard: (shard) => ["shard", shard],
};

/** What the hosts and the judge must agree on; times in milliseconds. */
export const LEASE_MS = 700;
export const VISIBILITY_MS = 1_500;
export const MAX_ATTEMPTS = 4;
export const TICK_MS = 250;

/**
 * All rows of the store, by the first part of their key.
 *
 * @returns {Promise<Map<string, { key: unknown[], value: any, versionstamp: string }[]>>}
 */
export async function readRows(kv) {
  const rows = new Map();
  for await (const entry of kv.list({ prefix: [] })) {
    const [kind] = entry.key;
    if (!rows.has(kind)) rows.set(kind, []);
    rows.get(kind).push(entry);
  }
  return rows;
}

/** The rows under a prefix of two parts, as the modules lay them out: `["queue", "dead"]`. */
export function rowsUnder(rows, kind, part) {
  return (rows.get(kind) ?? []).filter(({ key }) => key[1] === part);
}
