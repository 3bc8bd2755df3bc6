"use strict";

/** Bytes that mean something to a reader: tags of values and of keys, small lengths, ends. */
const TELLING = [
  ..."_0TFINUZ\"cS^o{A$-a@;:',DRyxnzsB~VrmC.\\",
  ..."\0\x01\x02\x0b\x14\x15\x1d!&'\x7f\x80\xff",
].map((character) => character.charCodeAt(0));

/** What grows by repetition stops here: the largest value that a store takes by default (bytes). */
const LARGEST = 65_536;

const telling = (roll) => TELLING[roll(TELLING.length)];

/** Some place in `bytes`, its end among them. */
const place = (bytes, roll) => roll(bytes.length + 1);

/** `bytes` with `cut` of them replaced by `put`. */
function splice(bytes, at, cut, put) {
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(put), bytes.subarray(at + cut)]);
}

const MUTATIONS = [
  // One bit, one byte, one byte that means something.
  (bytes, roll) => {
    const at = roll(bytes.length);
    return splice(bytes, at, 1, [bytes[at] ^ (1 << roll(8))]);
  },
  (bytes, roll) => splice(bytes, roll(bytes.length), 1, [roll(256)]),
  (bytes, roll) => splice(bytes, roll(bytes.length), 1, [telling(roll)]),
  // Shorter.
  (bytes, roll) => bytes.subarray(0, place(bytes, roll)),
  (bytes, roll) => splice(bytes, place(bytes, roll), 1 + roll(4), []),
  // Longer, also by what is the length of something else then.
  (bytes, roll) => splice(bytes, place(bytes, roll), 0, [telling(roll)]),
  (bytes, roll) => splice(bytes, place(bytes, roll), 0, [0xff, 0xff, 0xff, 0xff, 0x0f]),
  // Of one the beginning, of another the end.
  (bytes, roll, other) =>
    Buffer.concat([
      bytes.subarray(0, place(bytes, roll)),
      other.subarray(place(other, roll)),
    ]).subarray(0, LARGEST),
  // A piece again, seldom very often.
  (bytes, roll) => {
    const at = roll(bytes.length);
    const piece = bytes.subarray(at, at + 1 + roll(20));
    const most = roll(50) === 0 ? LARGEST : 4 * piece.length;
    const room = Math.min(most, LARGEST - bytes.length);
    const times = Math.floor(room / piece.length);
    return splice(bytes, at, 0, times < 1 ? [] : Buffer.concat(Array(1 + roll(times)).fill(piece)));
  },
];

/**
 * Bytes that one to three mutations make of others.
 *
 * @param {Buffer[]} corpus
 * @param {(below: number) => number} roll see ../support/dice.js
 * @returns {Buffer}
 */
function mutated(corpus, roll) {
  const pick = () => corpus[roll(corpus.length)];
  let bytes = pick();
  for (let n = 1 + roll(3); n > 0 && bytes.length > 0; n--) {
    bytes = MUTATIONS[roll(MUTATIONS.length)](bytes, roll, pick());
  }
  return bytes;
}

module.exports = { mutated };
