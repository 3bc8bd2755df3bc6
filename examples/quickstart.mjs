import { openKv } from "fencekv";

const kv = await openKv("./app.db");
const key = ["visits", "ann"];
await kv.set(key, 1);
const seen = await kv.get(key); // { key, value: 1, versionstamp: "..." }
const { ok } = await kv.atomic().check(seen).set(key, 2).commit(); // false if another was quicker
for await (const entry of kv.list({ prefix: ["visits"] })) console.log(ok, entry.key, entry.value);
