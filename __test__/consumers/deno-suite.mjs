/**
 * Runs the consumer suite on real `Deno.Kv`, in Deno, and prints one line of JSON a case:
 * `{ name, error }`, error null when it passed.
 *
 *     deno run -A --unstable-kv __test__/consumers/deno-suite.mjs
 */
import { denoCases } from "./deno-cases.mjs";

for (const { name, body } of denoCases()) {
  const error = await body().then(
    () => null,
    (failure) => failure.stack ?? String(failure),
  );
  console.log(JSON.stringify({ name, error }));
}
