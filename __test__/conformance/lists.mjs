// What the areas read again and again.

export async function collect(list) {
  const entries = [];
  for await (const entry of list) entries.push(entry);
  return entries;
}

export async function keysOf(kv, selector, options) {
  return (await collect(kv.list(selector, options))).map(({ key }) => key);
}

export async function valueOf(kv, key) {
  return (await kv.get(key)).value;
}
