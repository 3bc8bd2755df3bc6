"use strict";

const { types } = require("node:util");
const { KvError } = require("../errors");
const { MAX_DEPTH, isStackExhausted, nestingTooDeep } = require("./depth");
const { Reader, corrupt } = require("./reader");
const wire = require("./wire");

const { TAG, ERROR_PART, VIEW_FLAG } = wire;

/** Tag -> constructor; a kind of view that this runtime lacks has none. */
const ERRORS = new Map(Array.from(wire.ERROR_NAME_TAGS, ([name, tag]) => [tag, globalThis[name]]));
const VIEWS = new Map(Array.from(wire.VIEW_TAGS, ([kind, tag]) => [tag, globalThis[kind]]));
/** The same by the numbers that Node gives the kinds. */
const NODE_VIEWS = Array.from(wire.NODE_VIEW_KINDS, (kind) => globalThis[kind]);

/** No array is longer. */
const MAX_LENGTH = 2 ** 32 - 1;

const hasOwn = Function.prototype.call.bind(Object.prototype.hasOwnProperty);

/**
 * Gives an object a property of its own, whatever it inherits. To assign is several times faster than
 * to define, and the same thing as long as nothing answers to the key.
 */
function setOwn(object, key, value) {
  if (!(key in object)) object[key] = value;
  else if (hasOwn(object, key)) throw corrupt("a property comes twice");
  else define(object, key, value, true);
}

/** As `setOwn` at the end of an array. */
function append(array, value) {
  const index = array.length;
  if (index in array) define(array, index, value, true);
  else array[index] = value;
}

function define(object, key, value, enumerable) {
  Object.defineProperty(object, key, { value, enumerable, writable: true, configurable: true });
}

/** Reads one value. An object is made before what stands in it, so that cycles close. */
class Decoder {
  #in;
  #version = 0;
  /** The objects made so far, each at the number by which a reference calls it. */
  #objects = [];
  #depth = 0;
  /** Bytes that resizable buffers reserve. */
  #reserved = 0;

  constructor(bytes, start, end) {
    this.#in = new Reader(bytes, start, end);
  }

  /** What follows the value is left alone, as V8 leaves it. */
  decode() {
    if (this.#in.byte() !== TAG.VERSION) throw corrupt("it does not begin with a version");
    this.#version = this.#in.varint();
    if (this.#version < wire.OLDEST_VERSION || this.#version > wire.NEWEST_VERSION) {
      throw corrupt(
        `version ${this.#version} is not one of ${wire.OLDEST_VERSION} to ${wire.NEWEST_VERSION}`,
      );
    }
    return this.#next();
  }

  #next() {
    return this.#value(this.#in.tag());
  }

  #value(tag) {
    switch (tag) {
      case TAG.ONE_BYTE_STRING:
        return this.#in.oneByteString();
      case TAG.INT32:
        return this.#in.int32();
      case TAG.DOUBLE:
        return this.#in.double();
      case TAG.TRUE:
        return true;
      case TAG.FALSE:
        return false;
      case TAG.NULL:
        return null;
      case TAG.UNDEFINED:
        return undefined;
      case TAG.TWO_BYTE_STRING:
        return this.#in.twoByteString();
      case TAG.BIGINT:
        return this.#in.bigint();
      case TAG.UINT32:
        return this.#in.varint();
      case TAG.UTF8_STRING:
        return this.#in.utf8String();
      case TAG.REFERENCE:
        return this.#reference();
    }
    if (++this.#depth > MAX_DEPTH) throw nestingTooDeep();
    const object = this.#object(tag);
    this.#depth--;
    return object;
  }

  #object(tag) {
    switch (tag) {
      case TAG.OBJECT:
        return this.#plain();
      case TAG.DENSE_ARRAY:
        return this.#denseArray();
      case TAG.SPARSE_ARRAY:
        return this.#sparseArray();
      case TAG.MAP:
        return this.#map();
      case TAG.SET:
        return this.#set();
      case TAG.DATE:
        return this.#register(new Date(this.#in.double()));
      case TAG.REGEXP:
        return this.#regExp();
      case TAG.ERROR:
        return this.#error();
      case TAG.TRUE_OBJECT:
        return this.#register(Object(true));
      case TAG.FALSE_OBJECT:
        return this.#register(Object(false));
      case TAG.NUMBER_OBJECT:
        return this.#register(Object(this.#in.double()));
      case TAG.BIGINT_OBJECT:
        return this.#register(Object(this.#in.bigint()));
      case TAG.STRING_OBJECT:
        return this.#register(Object(this.#string()));
      case TAG.BUFFER:
        return this.#viewOf(this.#register(this.#in.copy(this.#size()).buffer));
      case TAG.RESIZABLE_BUFFER:
        return this.#viewOf(this.#resizableBuffer());
      case TAG.HOST_OBJECT:
        return this.#hostObject();
      default:
        throw corrupt(`it has an unknown tag, 0x${tag.toString(16)}`);
    }
  }

  #register(object) {
    append(this.#objects, object);
    return object;
  }

  #reference() {
    const id = this.#in.varint();
    if (id >= this.#objects.length) throw corrupt("it refers to an object that is not there");
    const object = this.#objects[id];
    return types.isArrayBuffer(object) ? this.#viewOf(object) : object;
  }

  #plain() {
    const object = this.#register({});
    this.#properties(object, TAG.END_OBJECT);
    return object;
  }

  #properties(object, endTag) {
    let count = 0;
    for (let tag = this.#in.tag(); tag !== endTag; tag = this.#in.tag()) {
      const key = this.#key(tag);
      setOwn(object, key, this.#next());
      count++;
    }
    this.#expect(count, "count of properties");
  }

  #key(tag) {
    switch (tag) {
      case TAG.ONE_BYTE_STRING:
        return this.#in.oneByteKey();
      case TAG.TWO_BYTE_STRING:
      case TAG.UTF8_STRING:
      case TAG.INT32:
      case TAG.UINT32:
      case TAG.DOUBLE:
        return this.#value(tag);
      default:
        throw corrupt("a key is neither a string nor a number");
    }
  }

  #expect(actual, what) {
    if (this.#in.varint() !== actual) throw corrupt(`a ${what} is wrong`);
  }

  #denseArray() {
    const length = this.#in.varint();
    // Every element takes a byte at least.
    if (length > this.#in.remaining) throw corrupt("an array is longer than what is left of it");
    const array = this.#register([]);
    for (let i = 0; i < length; i++) {
      const tag = this.#in.tag();
      if (tag === TAG.HOLE) array.length = i + 1;
      else append(array, this.#value(tag));
    }
    this.#properties(array, TAG.END_DENSE_ARRAY);
    this.#expect(length, "length of an array");
    return array;
  }

  #sparseArray() {
    const length = this.#in.varint();
    const array = this.#register([]);
    // V8 takes memory for a length up to 2^25, and keeps a table of elements for one above, even if
    // it becomes less: so a length that the bytes do not account for takes none.
    if (length > this.#in.remaining) array.length = MAX_LENGTH;
    array.length = length;
    this.#properties(array, TAG.END_SPARSE_ARRAY);
    this.#expect(length, "length of an array");
    return array;
  }

  #map() {
    const map = this.#register(new Map());
    let count = 0;
    for (let tag = this.#in.tag(); tag !== TAG.END_MAP; tag = this.#in.tag()) {
      const key = this.#value(tag);
      map.set(key, this.#next());
      count += 2;
    }
    this.#expect(count, "count of entries");
    return map;
  }

  #set() {
    const set = this.#register(new Set());
    let count = 0;
    for (let tag = this.#in.tag(); tag !== TAG.END_SET; tag = this.#in.tag()) {
      set.add(this.#value(tag));
      count++;
    }
    this.#expect(count, "count of entries");
    return set;
  }

  #string() {
    const tag = this.#in.tag();
    if (tag !== TAG.ONE_BYTE_STRING && tag !== TAG.TWO_BYTE_STRING && tag !== TAG.UTF8_STRING) {
      throw corrupt("a string is missing");
    }
    return this.#value(tag);
  }

  #regExp() {
    const source = this.#string();
    let bits = this.#in.varint();
    let flags = "";
    for (const { letter, bit } of wire.REGEXP_FLAGS) {
      if ((bits & bit) === 0) continue;
      flags += letter;
      bits -= bit;
    }
    if (bits !== 0) throw corrupt("a RegExp has unknown flags");
    return this.#register(new RegExp(source, flags));
  }

  /** Writers differ in the order of stack and cause. */
  #error() {
    let part = this.#in.byte();
    const Named = ERRORS.get(part);
    if (Named !== undefined) part = this.#in.byte();
    const error = this.#register(makeError(Named ?? Error));
    for (; part !== ERROR_PART.END; part = this.#in.byte()) {
      if (part === ERROR_PART.MESSAGE) define(error, "message", this.#string(), false);
      else if (part === ERROR_PART.STACK) define(error, "stack", this.#string(), false);
      else if (part === ERROR_PART.CAUSE) define(error, "cause", this.#next(), false);
      else throw corrupt("an Error has an unknown part");
    }
    return error;
  }

  /** Lengths and offsets of buffers outgrew 32 bits in version 16. */
  #size() {
    return this.#version < wire.LONG_SIZES_SINCE ? this.#in.varint() : this.#in.size();
  }

  #resizableBuffer() {
    const length = this.#size();
    const maxByteLength = this.#size();
    if (length > maxByteLength) throw corrupt("a buffer is larger than it may become");
    this.#reserved += maxByteLength;
    if (this.#reserved > wire.MAX_RESERVED) throw corrupt("its buffers may become too large");
    const bytes = this.#in.copy(length);
    const buffer = new ArrayBuffer(length, { maxByteLength });
    new Uint8Array(buffer).set(bytes);
    return this.#register(buffer);
  }

  /** A buffer just read, or the view of it that may follow. */
  #viewOf(buffer) {
    if (!this.#in.takeTag(TAG.VIEW)) return buffer;
    const tag = this.#in.byte();
    const byteOffset = this.#size();
    const byteLength = this.#size();
    const flags = this.#version < wire.VIEW_FLAGS_SINCE ? 0 : this.#in.varint();
    if (!VIEWS.has(tag)) throw corrupt("a view is of an unknown kind");
    if (buffer.resizable ? !(flags & VIEW_FLAG.RESIZABLE) : flags !== 0) {
      throw corrupt("a view has the wrong flags");
    }
    if (byteOffset + byteLength > buffer.byteLength) throw corrupt("a view goes beyond its buffer");
    const toTheEnd = (flags & VIEW_FLAG.LENGTH_TRACKING) !== 0;
    const length = toTheEnd ? undefined : byteLength;
    return this.#register(makeView(VIEWS.get(tag), buffer, byteOffset, length));
  }

  /** Node's own serializer, which `@deno/kv` stores with, writes a view as its kind and its bytes. */
  #hostObject() {
    const kind = this.#in.varint();
    if (kind >= NODE_VIEWS.length)
      throw corrupt("it holds an object of the platform that wrote it");
    const { buffer, byteLength } = this.#in.copy(this.#in.varint());
    return this.#register(makeView(NODE_VIEWS[kind], buffer, 0, byteLength));
  }
}

/**
 * An Error without the stack of this very place. V8 takes some 30 us for a stack, and an Error may take
 * two bytes: so it is told to take none. `Reflect.set` does not throw where Error is frozen.
 */
function makeError(Type) {
  const { stackTraceLimit } = Error;
  Reflect.set(Error, "stackTraceLimit", 0);
  try {
    const error = new Type();
    define(error, "stack", undefined, false);
    return error;
  } finally {
    Reflect.set(Error, "stackTraceLimit", stackTraceLimit);
  }
}

/** `byteLength` undefined: up to wherever the buffer ends. */
function makeView(View, buffer, byteOffset, byteLength) {
  // Of all kinds only Float16Array is not everywhere.
  if (View === undefined)
    throw corrupt("it holds a Float16Array, which this runtime does not have");
  const elementSize = View.BYTES_PER_ELEMENT ?? 1;
  if (byteOffset % elementSize !== 0 || (byteLength ?? 0) % elementSize !== 0) {
    throw corrupt("a view cuts an element in two");
  }
  return byteLength === undefined
    ? new View(buffer, byteOffset)
    : new View(buffer, byteOffset, byteLength / elementSize);
}

/**
 * The value that bytes in V8's structured-clone format stand for; versions 13 to 16.
 *
 * @param {Uint8Array} bytes not kept: what is decoded has memory of its own
 * @param {number} [start] where the value begins in them
 * @param {number} [end] where what is not its own begins
 * @returns {unknown}
 * @throws {KvError} CORRUPT_VALUE: no writer of the format leaves such bytes
 * @throws {RangeError} NESTING_TOO_DEEP
 */
function decode(bytes, start = 0, end = bytes.length) {
  try {
    return new Decoder(bytes, start, end).decode();
  } catch (error) {
    if (error instanceof KvError) throw error;
    if (isStackExhausted(error)) throw nestingTooDeep(error);
    if (error.code === "NESTING_TOO_DEEP") throw error;
    // A pattern that is no RegExp, or a length past what the engine can make.
    throw corrupt(error.message, { cause: error });
  }
}

module.exports = { decode };
