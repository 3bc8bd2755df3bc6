"use strict";

const { Buffer } = require("node:buffer");
const { typeError } = require("../errors");
const { BRAND, brandOf, describe } = require("./brand");
const { MAX_DEPTH, isStackExhausted, nestingTooDeep } = require("./depth");
const { isIndex } = require("./index-key");
const { Numbering } = require("./numbering");
const slots = require("./slots");
const wire = require("./wire");
const { Writer } = require("./writer");

const { TAG, ERROR_PART, VIEW_FLAG } = wire;

const hasOwn = Function.prototype.call.bind(Object.prototype.hasOwnProperty);
const isNodeBuffer = Function.prototype.call.bind(Object.prototype.isPrototypeOf, Buffer.prototype);

const REGEXP_FLAGS = wire.REGEXP_FLAGS.map(({ name, bit }) => ({
  isSet: slots.getter(RegExp.prototype, name),
  bit,
}));

/** No element of a typed array is larger (bytes). */
const LARGEST_ELEMENT = 8;

function notCloneable(what) {
  return typeError("NOT_CLONEABLE", `${what} cannot be stored`);
}

/** Writes one value at a time. What a getter does on the way is heeded as V8 heeds it. */
class Encoder {
  #out = new Writer();
  #numbers = new Numbering();
  #depth = 0;
  /** Bytes that resizable buffers reserve. */
  #reserved = 0;

  /** Writes a value, for one of the ways to finish. */
  write(value) {
    this.#value(value);
    return this.#out;
  }

  /** Forgets the value, be it written or refused half way. */
  reset() {
    this.#out.reset();
    this.#numbers.clear();
    this.#depth = 0;
    this.#reserved = 0;
  }

  #value(value) {
    const out = this.#out;
    switch (typeof value) {
      case "string":
        return out.string(value);
      case "number":
        return out.number(value);
      case "object":
        return value === null ? out.byte(TAG.NULL) : this.#object(value);
      case "boolean":
        return out.byte(value ? TAG.TRUE : TAG.FALSE);
      case "undefined":
        return out.byte(TAG.UNDEFINED);
      case "bigint":
        out.byte(TAG.BIGINT);
        return out.bigint(value);
      default:
        throw notCloneable(`a ${typeof value}`);
    }
  }

  #object(object) {
    const number = this.#numbers.find(object);
    if (number !== undefined) return this.#reference(number);
    const brand = brandOf(object);
    if (brand === BRAND.VIEW) return this.#view(object);
    this.#numbers.add(object);
    if (++this.#depth > MAX_DEPTH) throw nestingTooDeep();
    switch (brand) {
      case BRAND.PLAIN:
        this.#plain(object);
        break;
      case BRAND.ARRAY:
        this.#array(object);
        break;
      case BRAND.MAP:
        this.#map(object);
        break;
      case BRAND.SET:
        this.#set(object);
        break;
      case BRAND.DATE:
        this.#date(object);
        break;
      case BRAND.REGEXP:
        this.#regExp(object);
        break;
      case BRAND.ERROR:
        this.#error(object);
        break;
      case BRAND.BOXED:
        this.#boxed(object);
        break;
      case BRAND.BUFFER:
        this.#buffer(object);
        break;
      default:
        throw notCloneable(describe(object));
    }
    this.#depth--;
  }

  #reference(number) {
    this.#out.byte(TAG.REFERENCE);
    this.#out.varint(number);
  }

  #plain(object) {
    let count = 0;
    this.#out.byte(TAG.OBJECT);
    // The fastest walk there is; what a getter deletes before its turn is left out.
    for (const key in object) {
      if (!hasOwn(object, key)) continue;
      const value = object[key];
      this.#key(key);
      this.#value(value);
      count++;
    }
    this.#out.byte(TAG.END_OBJECT);
    this.#out.varint(count);
  }

  /** V8 writes indices as numbers. */
  #key(key) {
    if (isIndex(key)) this.#out.number(Number(key));
    else this.#out.string(key);
  }

  #array(array) {
    const length = array.length;
    let keys = Object.keys(array);
    // Indices come first and ascend: in an array without holes the last one stands in its own place.
    const isDense = length === 0 || keys[length - 1] === String(length - 1);
    this.#out.byte(isDense ? TAG.DENSE_ARRAY : TAG.SPARSE_ARRAY);
    this.#out.varint(length);
    if (isDense) {
      for (let i = 0; i < length; i++) {
        if (hasOwn(array, i)) this.#value(array[i]);
        else this.#out.byte(TAG.HOLE);
      }
      keys = keys.slice(length);
    }
    let count = 0;
    for (const key of keys) {
      if (!hasOwn(array, key)) continue;
      const value = array[key];
      this.#key(key);
      this.#value(value);
      count++;
    }
    this.#out.byte(isDense ? TAG.END_DENSE_ARRAY : TAG.END_SPARSE_ARRAY);
    this.#out.varint(count);
    this.#out.varint(length);
  }

  #map(map) {
    const entries = [];
    slots.mapForEach(map, (value, key) => entries.push(key, value));
    this.#collection(TAG.MAP, entries, TAG.END_MAP);
  }

  #set(set) {
    const entries = [];
    slots.setForEach(set, (value) => entries.push(value));
    this.#collection(TAG.SET, entries, TAG.END_SET);
  }

  /** `entries` is a copy: a getter among them may change the collection. */
  #collection(beginTag, entries, endTag) {
    this.#out.byte(beginTag);
    for (const entry of entries) this.#value(entry);
    this.#out.byte(endTag);
    this.#out.varint(entries.length);
  }

  #date(date) {
    this.#out.byte(TAG.DATE);
    this.#out.double(slots.dateTime(date));
  }

  #regExp(regExp) {
    let flags = 0;
    for (const { isSet, bit } of REGEXP_FLAGS) if (isSet(regExp)) flags |= bit;
    this.#out.byte(TAG.REGEXP);
    this.#out.string(slots.regExpSource(regExp));
    this.#out.varint(flags);
  }

  #boxed(object) {
    const out = this.#out;
    const value = slots.boxedValue(object);
    switch (typeof value) {
      case "number":
        out.byte(TAG.NUMBER_OBJECT);
        return out.double(value);
      case "string":
        out.byte(TAG.STRING_OBJECT);
        return out.string(value);
      case "boolean":
        return out.byte(value ? TAG.TRUE_OBJECT : TAG.FALSE_OBJECT);
      case "bigint":
        out.byte(TAG.BIGINT_OBJECT);
        return out.bigint(value);
      default:
        throw notCloneable("a symbol");
    }
  }

  /** As in structured clone, an error's other own properties are left behind. */
  #error(error) {
    const out = this.#out;
    const message = Object.getOwnPropertyDescriptor(error, "message");
    const cause = Object.getOwnPropertyDescriptor(error, "cause");
    out.byte(TAG.ERROR);
    const nameTag = wire.ERROR_NAME_TAGS.get(String(error.name));
    if (nameTag !== undefined) out.byte(nameTag);
    if (message !== undefined && "value" in message) {
      out.byte(ERROR_PART.MESSAGE);
      out.string(String(message.value));
    }
    const stack = error.stack;
    if (typeof stack === "string") {
      out.byte(ERROR_PART.STACK);
      out.string(stack);
    }
    // Last, so that a reader has made the error when something in the cause refers to it.
    if (cause !== undefined && "value" in cause) {
      out.byte(ERROR_PART.CAUSE);
      this.#value(cause.value);
    }
    out.byte(ERROR_PART.END);
  }

  #buffer(buffer) {
    const bytes = slots.bufferBytes(buffer);
    if (bytes === null) throw notCloneable("a detached ArrayBuffer");
    if (bytes.length >= 2 ** 32) throw notCloneable("an ArrayBuffer of 4 GiB or more");
    if (!slots.bufferResizable(buffer)) return this.#fixedBuffer(bytes);
    const maxLength = slots.bufferMaxLength(buffer);
    this.#reserved += maxLength;
    if (this.#reserved > wire.MAX_RESERVED) {
      throw notCloneable(`resizable buffers that reserve over ${wire.MAX_RESERVED} bytes`);
    }
    this.#out.byte(TAG.RESIZABLE_BUFFER);
    this.#out.varint(bytes.length);
    this.#out.varint(maxLength);
    this.#out.bytes(bytes);
  }

  #fixedBuffer(bytes) {
    this.#out.byte(TAG.BUFFER);
    this.#out.varint(bytes.length);
    this.#out.bytes(bytes);
  }

  /** A view stands behind its buffer, or a reference to it, and has the number that follows. */
  #view(view) {
    const part = slots.viewedPart(view);
    if (part === null) throw notCloneable("a view of a detached or shortened buffer");
    const { kind, buffer, byteOffset, byteLength } = part;
    if (isNodeBuffer(view) && brandOf(buffer) === BRAND.BUFFER) {
      // Often a window on a pool full of other people's bytes: it leaves with its own alone.
      this.#numbers.skip();
      this.#fixedBuffer(new Uint8Array(buffer, byteOffset, byteLength));
      this.#viewHeader(view, kind, 0, byteLength, 0);
      return;
    }
    this.#object(buffer);
    if (!slots.bufferResizable(buffer)) {
      this.#viewHeader(view, kind, byteOffset, byteLength, 0);
    } else if (isLengthTracking(view, part)) {
      const flags = VIEW_FLAG.RESIZABLE | VIEW_FLAG.LENGTH_TRACKING;
      this.#viewHeader(view, kind, byteOffset, 0, flags);
    } else {
      this.#viewHeader(view, kind, byteOffset, byteLength, VIEW_FLAG.RESIZABLE);
    }
  }

  #viewHeader(view, kind, byteOffset, byteLength, flags) {
    this.#numbers.add(view);
    this.#out.byte(TAG.VIEW);
    this.#out.byte(wire.VIEW_TAGS.get(kind));
    this.#out.varint(byteOffset);
    this.#out.varint(byteLength);
    this.#out.varint(flags);
  }
}

/**
 * Whether a view of a resizable buffer always reaches to its end. No property says so; the buffer is
 * stretched and shrunk back at once, which nobody sees and no byte of it notices. Of a buffer that
 * is at its largest the view counts as one of fixed length.
 */
function isLengthTracking(view, { buffer, byteLength }) {
  const length = slots.bufferLength(buffer);
  const stretched = Math.min(length + LARGEST_ELEMENT, slots.bufferMaxLength(buffer));
  slots.bufferResize(buffer, stretched);
  const grew = slots.viewedPart(view).byteLength > byteLength;
  slots.bufferResize(buffer, length);
  return grew;
}

/** The encoder not in use, if any: its scratch is worth keeping. */
let idle = new Encoder();

/**
 * The bytes of a value, in V8's structured-clone format, version 15, without host objects.
 *
 * @param {unknown} value
 * @returns {Uint8Array} fresh, in an ArrayBuffer of its own and of its size
 * @throws {TypeError} NOT_CLONEABLE: it is, or holds, something that cannot be stored
 * @throws {RangeError} NESTING_TOO_DEEP; whatever a getter inside the value throws passes through
 */
function encode(value) {
  return written(value, (out) => out.finish());
}

/** Like {@link encode}, but the bytes may lie in a larger ArrayBuffer beside those of others. */
function encodeOnSlab(value) {
  return written(value, (out) => out.finishOnSlab());
}

function written(value, finish) {
  // A getter inside a value may encode another: then this encoder is busy.
  const encoder = idle ?? new Encoder();
  idle = null;
  try {
    return finish(encoder.write(value));
  } catch (error) {
    throw isStackExhausted(error) ? nestingTooDeep(error) : error;
  } finally {
    encoder.reset();
    idle = encoder;
  }
}

module.exports = { encode, encodeOnSlab };
