// What one call of the misuse table did, in words that are the same on every runtime.

/** Milliseconds after which a call that has not settled is recorded as such. */
const PATIENCE_MS = 20_000;

/**
 * Runs one case.
 *
 * @returns {Promise<{ manner: "throws" | "rejects", error: string, code?: string, message: string }
 *   | { manner: "returns" | "resolves", value: string } | { manner: "hangs" }>}
 *   `throws` is synchronous, `rejects` through the promise.
 */
export async function observe(entry, kv, api) {
  let result;
  try {
    result = entry.call(kv, api);
  } catch (error) {
    return refusal("throws", error);
  }
  if (!(result instanceof Promise)) return { manner: "returns", value: describe(result) };
  let timer;
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, { manner: "hangs" });
  });
  const settled = result.then(
    (value) => ({ manner: "resolves", value: describe(value) }),
    (error) => refusal("rejects", error),
  );
  const outcome = await Promise.race([settled, patience]);
  clearTimeout(timer);
  return outcome;
}

function refusal(manner, error) {
  if (!(error instanceof Error)) return { manner, error: typeof error, message: describe(error) };
  const kind = error.constructor.name;
  return {
    manner,
    error: kind === error.name ? kind : `${kind} ${error.name}`,
    ...(typeof error.code === "string" && { code: error.code }),
    message: shorten(error.message),
  };
}

/** Every entry of the store, in words: `key = value`. Of many only the first and their number. */
export async function contents(kv) {
  const lines = [];
  for await (const { key, value } of kv.list({ prefix: [] })) {
    lines.push(`${describe(key)} = ${describe(value)}`);
  }
  return lines.length > 8 ? [...lines.slice(0, 2), `... (${lines.length})`] : lines;
}

/** Deletes every entry, in commits of as many as one may have. */
export async function empty(kv) {
  const keys = [];
  for await (const { key } of kv.list({ prefix: [] })) keys.push(key);
  while (keys.length > 0) {
    const operation = kv.atomic();
    for (const key of keys.splice(0, 1000)) operation.delete(key);
    await operation.commit();
  }
}

const shorten = (text) => (text.length <= 120 ? text : `${text.slice(0, 100)}... (${text.length})`);

/** A value in words; versionstamps and long strings are abbreviated. */
export function describe(value) {
  switch (typeof value) {
    case "string":
      if (/^[0-9a-f]{16}0000$/.test(value)) return "<versionstamp>";
      return shorten(JSON.stringify(value));
    case "bigint":
      return shorten(`${value}n`);
    case "object":
      return describeObject(value);
    case "function":
      return "<function>";
    default:
      return Object.is(value, -0) ? "-0" : String(value);
  }
}

function describeObject(value) {
  if (value === null) return "null";
  const kind = value.constructor?.name ?? "Object";
  if (Array.isArray(value)) return describeList("", value);
  if (ArrayBuffer.isView(value)) return describeList(kind, items(value));
  if (kind === "ArrayBuffer")
    return describeList(kind, value.detached ? [] : items(new Uint8Array(value)));
  if (kind === "KvU64") return `KvU64(${value.value})`;
  const members = Object.entries(value).map(([name, member]) => `${name}: ${describe(member)}`);
  return `${kind === "Object" ? "" : kind}{ ${members.join(", ")} }`;
}

/** The items of a typed array, none when it is detached (its own iterator would throw). */
const items = (view) => Array.from({ length: view.length ?? 0 }, (_, i) => view[i]);

function describeList(kind, list) {
  const shown = Array.from(list.slice(0, 4), describe);
  if (list.length > shown.length) shown.push(`... (${list.length})`);
  return `${kind}[${shown.join(", ")}]`;
}
