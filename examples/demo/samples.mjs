/** Entries that Deno writes and Node reads: every kind of key part, and values beyond JSON. */
export const SAMPLES = [
  [[new Uint8Array([0, 255]), "bytes in the key"], "text"],
  [["big"], 2n ** 70n],
  [["bytes"], new Uint8Array([1, 2, 3])],
  [["date"], new Date(0)],
  [["map"], new Map([["a", new Set([1, -0, Number.NaN])]])],
  [["nested", 9], { list: [1, , 3], none: undefined, when: [null, true] }],
  [["nested", 10], "after nine: numbers sort as numbers"],
  [["regexp"], /k(v)/giu],
  [["text"], "zero \0, umlaut ü, astral 𝄞"],
  [[7, 8n, false], Infinity],
];
