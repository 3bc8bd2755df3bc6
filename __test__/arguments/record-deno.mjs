// Records what real Deno does with every case of the misuse table:
//
//   deno run -A --unstable-kv __test__/arguments/record-deno.mjs > __test__/arguments/deno-2.9.jsonl
//
// One line a case, so that a new version of Deno shows its changes as a diff.

import { cases, seed } from "./cases.mjs";
import { contents, empty, observe } from "./outcome.mjs";

const api = { Kv: Deno.Kv, KvU64: Deno.KvU64, openKv: Deno.openKv };

const open = async () => {
  const kv = await Deno.openKv(":memory:");
  await seed(kv, api);
  return kv;
};

console.log(JSON.stringify({ deno: Deno.version.deno }));
let kv = await open();
const untouched = await contents(kv);

for (const entry of cases) {
  const outcome = await observe(entry, kv, api);
  if (entry.closes) {
    kv = await open();
  } else {
    const left = await contents(kv);
    if (left.join() !== untouched.join()) {
      outcome.left = left;
      await empty(kv);
      await seed(kv, api);
    }
  }
  console.log(JSON.stringify({ name: entry.name, ...outcome }));
}
kv.close();
