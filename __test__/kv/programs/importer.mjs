// Imports the package as an ES module and writes to both kinds of store.
import { Kv, openKv } from "../../../index.mjs";

const memory = new Kv();
const file = await openKv(process.argv[2]);
await memory.set(["k"], "memory");
await file.set(["k"], "file");
console.log(JSON.stringify([(await memory.get(["k"])).value, (await file.get(["k"])).value]));
memory.close();
file.close();
