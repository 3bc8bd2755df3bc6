// Writes keys.txt, cursors.txt and selectors.txt beside itself with what real Deno does:
//   deno run -A --unstable-kv generate.ts
// The Rust tests read those files; run this again only to compare with another Deno.
//
// A key is written as its parts in brackets: b<hex> bytes, s<hex of the UTF-8> string,
// n<hex of the double's bits> number, i+<hex> or i-<hex> bigint, t, f. "-" is no key.
import { DatabaseSync } from "node:sqlite";

type Part = Uint8Array | string | number | bigint | boolean;
type Key = Part[];

const hex = (bytes: Uint8Array) => bytes.toHex();
const utf8 = (text: string) => new TextEncoder().encode(text);

function bits(number: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, number);
  return bytes;
}

function number(bits: string): number {
  return new DataView(Uint8Array.fromHex(bits).buffer).getFloat64(0);
}

function notation(key: Key | undefined): string {
  if (key === undefined) return "-";
  const parts = key.map((part) => {
    if (part instanceof Uint8Array) return `b${hex(part)}`;
    if (typeof part === "string") return `s${hex(utf8(part))}`;
    if (typeof part === "number") return `n${hex(bits(part))}`;
    if (typeof part === "boolean") return part ? "t" : "f";
    const magnitude = part < 0n ? -part : part;
    const digits = magnitude === 0n ? "" : magnitude.toString(16);
    return `i${part < 0n ? "-" : "+"}${digits.length % 2 ? "0" : ""}${digits}`;
  });
  return `[${parts.join(",")}]`;
}

const keys: Key[] = [];
const bytes = (...values: number[]) => Uint8Array.from(values);
const part = (...parts: Part[]) => parts.forEach((each) => keys.push([each]));

part(bytes(), bytes(0), bytes(0, 0), bytes(0, 255), bytes(255), bytes(255, 255), bytes(0, 1));
part(bytes(1), bytes(1, 0), bytes(1, 0, 2), bytes(0, 255, 0), bytes(254), bytes(97, 98));
part(new Uint8Array(600).map((_, i) => i));
part("", "\0", "\0\0", "a", "a\0", "a\0b", "\0a", "ab", "b", "\x01", "\xff", "ÿ\0", "é", "e\u0301");
part("\ud7ff", "\ue000", "\uffff", "\u{10000}", "😀", "😀\0😀", "\u{10ffff}", "\x7f", "\x80");
part("x".repeat(300), "x".repeat(299) + "\0", "日本語".repeat(40));
part(0, -0, 1, -1, 0.1, -0.1, 2, 255, 256, -256, 1e21, -1e21, 5e-324, -5e-324, 2 ** 53 - 1);
part(-(2 ** 53) + 1, 2 ** 53, 1.7976931348623157e308, -1.7976931348623157e308, 1788000000000);
part(2.2250738585072014e-308, -2.2250738585072014e-308, Infinity, -Infinity, NaN, Math.PI);
part(number("fff8000000000000"));
for (const [i, nan] of ["7ff8000000000001", "7ff8000000000000", "7fffffffffffffff"].entries()) {
  keys.push(["nan", i, number(nan)], ["-nan", i, number("f" + nan.slice(1))]);
}
part(0n, true, false);
for (const size of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 16, 17, 100, 127, 128, 254, 255]) {
  const top = 1n << BigInt(8 * size);
  for (const value of [top >> 8n, (top >> 8n) + 1n, top >> 1n, top - 2n, top - 1n])
    part(value, -value);
}
keys.push(
  ["a", 1],
  ["a", 2],
  ["a", 10],
  ["a", -1],
  ["a", "1"],
  ["a", 1n],
  ["a", true],
  ["a", bytes(1)],
  ["a", 1, "x"],
  ["a", 1, "x", 1],
  ["a", 1, ""],
  ["a", "", ""],
  ["a", bytes(), bytes()],
  ["a", 1, 0],
  ["a", 1, 1],
  ["a", 1.5],
  ["a", NaN],
  ["a", false, false],
  ["a", false, true],
  ["a\0", 1],
  ["a\0a", 1],
  ["due", 1788000000000, "id-1"],
  ["due", 1788000000001, "id-0"],
  [bytes(1), "s", 1, 1n, true],
  [bytes(0), "\0", 0, 0n, false],
  [true, false, 1n, 1, "", bytes()],
);

const file = Deno.makeTempFileSync();
let kv = await Deno.openKv(file);
for (const key of keys) await kv.set(key, notation(key));
kv.close();

const database = new DatabaseSync(file);
const stored = new Map(
  database
    .prepare("SELECT k, v FROM kv")
    .all()
    .map(({ k, v }) => {
      // A one-byte string in V8's format: some tags and the length before the text.
      const text = new TextDecoder("latin1").decode(v as Uint8Array);
      return [text.slice(text.indexOf("[")), hex(k as Uint8Array)];
    }),
);
database.close();

// Deno's list gives a NaN whose sign is set back as one whose is not, and makes the cursor of that:
// of another key. These are no example for cursors.
kv = await Deno.openKv(file);
for (const key of keys) {
  if (key.some((part) => Number.isNaN(part) && bits(part as number)[0] === 0xff))
    await kv.delete(key);
}

// Cursors. `prefix`, `start`, `end`, direction, key, the iterator's cursor at that key, the next key.
type Selector = { prefix?: Key; start?: Key; end?: Key };
const selectors: Selector[] = [
  { prefix: [] },
  { prefix: ["a"] },
  { prefix: ["a", 1] },
  { prefix: ["due"] },
  { prefix: ["a\0"] },
  { prefix: [], start: ["a"] },
  { prefix: [], end: ["a", 1] },
  { prefix: [], start: [2] },
  { prefix: ["a"], start: ["a", 1] },
  { prefix: ["a"], end: ["a", 2] },
  { prefix: ["a", 1], start: ["a", 1, 0] },
  { prefix: ["a"], start: ["a", "1"] },
  { start: ["a"], end: ["b"] },
  { start: ["a", 1], end: ["a", 3] },
  { start: [], end: ["a", 2] },
  { start: ["a", 1], end: ["a", 1, "y"] },
  { start: [bytes()], end: [true, true] },
  { start: [-5n], end: [10n ** 30n] },
  { start: [-1e300], end: [NaN] },
  { start: ["x"], end: [0n] },
  { start: ["due", 1788000000000], end: ["due", 1788000000001] },
  { start: [], end: [1] },
  { start: ["a", 1n], end: ["a", 2] },
  { start: [false], end: [true, ""] },
];
const lines = (rows: string[][]) => rows.map((row) => row.join("\t") + "\n").join("");
const columns = ({ prefix, start, end }: Selector) => [prefix, start, end].map(notation);
const cursors: string[][] = [];
for (const selector of selectors) {
  for (const reverse of [false, true]) {
    const found: [string, string][] = [];
    // deno-lint-ignore no-explicit-any
    const entries = kv.list(selector as any, { reverse, batchSize: 7 });
    for await (const entry of entries) found.push([notation(entry.key as Key), entries.cursor]);
    const step = Math.ceil(found.length / 12);
    for (const [i, [key, cursor]] of found.entries()) {
      if (i % step !== 0) continue;
      const direction = reverse ? "reverse" : "forward";
      cursors.push([...columns(selector), direction, key, cursor, found[i + 1]?.[0] ?? "-"]);
    }
  }
}

// Selectors, with a cursor of the caller's making or "-": the keys found first and last and how
// many, or the error.
const asked: [Selector, string][] = [];
for (const selector of [
  ...selectors,
  { prefix: ["a"], start: ["a"] },
  { prefix: ["a"], end: ["a"] },
  { prefix: ["a"], start: ["b"] },
  { prefix: ["a"], end: ["b"] },
  { prefix: ["a", 1], start: ["a"] },
  { prefix: [], start: [] },
  { prefix: [], end: [] },
  { start: ["b"], end: ["a"] },
  { start: ["a"], end: ["a"] },
  { start: [], end: [] },
  { start: ["a"], end: [] },
  { start: ["a", 2], end: ["a", 1] },
])
  asked.push([selector, "-"]);
for (const selector of [
  { prefix: ["a"] },
  { prefix: ["a"], start: ["a", 1] },
  { start: ["a", 0], end: ["a", 3] },
]) {
  for (const cursor of [
    "A",
    "AA",
    "AAA",
    "AA==",
    "AAA=",
    "AAAA",
    "AB==",
    "AAB=",
    "AA=A",
    "A===",
    "====",
    "=",
    "/w==",
    "+w==",
    "_w==",
    "-w==",
    "IQ==",
    "IcAAAAAAAAAA",
    "IcAIAAAAAAAA",
    "Ib_wAAAAAAAA",
    "ITo=",
    "é",
    " ",
    "AA==\n",
    "\0",
    "AAAA====",
    "AAAAA",
    "ISE",
    "JyY=",
    "JycnJycnJycnJycnJycnJycnJycnJycnJycnJycn",
  ])
    asked.push([selector, cursor]);
}
const messages: Record<string, string> = {
  "invalid cursor": "malformed-cursor",
  "cursor out of bounds": "cursor-out-of-range",
  "Start key is not in the keyspace defined by prefix": "start-outside-prefix",
  "End key is not in the keyspace defined by prefix": "end-outside-prefix",
  "Start key is greater than end key": "start-after-end",
};
const results: string[][] = [];
for (const [selector, cursor] of asked) {
  for (const reverse of [false, true]) {
    const direction = reverse ? "reverse" : "forward";
    const escaped = hex(utf8(cursor === "-" ? "" : cursor));
    let result: string[];
    try {
      // deno-lint-ignore no-explicit-any
      const entries = kv.list(selector as any, cursor === "-" ? { reverse } : { reverse, cursor });
      const found = await Array.fromAsync(entries, (entry) => notation(entry.key as Key));
      result = [String(found.length), found[0] ?? "-", found.at(-1) ?? "-"];
    } catch (error) {
      result = [messages[(error as Error).message] ?? String(error)];
    }
    results.push([...columns(selector), direction, escaped, ...result]);
  }
}
kv.close();

const folder = new URL("./", import.meta.url);
const golden = keys.map((key) => [notation(key), stored.get(notation(key))!]);
Deno.writeTextFileSync(new URL("keys.txt", folder), lines(golden));
Deno.writeTextFileSync(new URL("cursors.txt", folder), lines(cursors));
Deno.writeTextFileSync(new URL("selectors.txt", folder), lines(results));
Deno.removeSync(file);
