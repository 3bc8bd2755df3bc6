"use strict";

// Readers of internal slots, taken from the intrinsics once: they work on objects of every realm, and
// no own property or subclass can answer in a slot's place.

const { types } = require("node:util");

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const TypedArrayPrototype = getPrototypeOf(Uint8Array.prototype);

const uncurry = (method) => Function.prototype.call.bind(method);
const getter = (prototype, name) => uncurry(getOwnPropertyDescriptor(prototype, name).get);

const viewGetters = (prototype) => ({
  buffer: getter(prototype, "buffer"),
  byteOffset: getter(prototype, "byteOffset"),
  byteLength: getter(prototype, "byteLength"),
});
const dataView = viewGetters(DataView.prototype);
const typedArray = viewGetters(TypedArrayPrototype);
/** The name of a typed array's kind, undefined for all else: a slot, unlike other toStringTags. */
const typedArrayName = getter(TypedArrayPrototype, Symbol.toStringTag);
const typedArrayKeys = uncurry(TypedArrayPrototype.keys);

/**
 * What a view is and which part of its buffer it shows (bytes).
 *
 * @param {ArrayBufferView} view
 * @returns {{ kind: string, buffer: object, byteOffset: number, byteLength: number } | null} null when
 * the buffer is detached or no longer reaches to the view's end
 */
function viewedPart(view) {
  const name = typedArrayName(view);
  const read = name === undefined ? dataView : typedArray;
  try {
    // Then the getters of a typed array answer 0, but its methods throw, as do a DataView's getters.
    if (name !== undefined) typedArrayKeys(view);
    return {
      kind: name ?? "DataView",
      buffer: read.buffer(view),
      byteOffset: read.byteOffset(view),
      byteLength: read.byteLength(view),
    };
  } catch {
    return null;
  }
}

/** The bytes of an ArrayBuffer, not copied; null when it is detached. */
function bufferBytes(buffer) {
  try {
    return new Uint8Array(buffer);
  } catch {
    return null;
  }
}

const numberValue = uncurry(Number.prototype.valueOf);
const stringValue = uncurry(String.prototype.valueOf);
const booleanValue = uncurry(Boolean.prototype.valueOf);
const bigIntValue = uncurry(BigInt.prototype.valueOf);
const symbolValue = uncurry(Symbol.prototype.valueOf);

/** The primitive inside a boxed one. */
function boxedValue(object) {
  if (types.isNumberObject(object)) return numberValue(object);
  if (types.isStringObject(object)) return stringValue(object);
  if (types.isBooleanObject(object)) return booleanValue(object);
  if (types.isBigIntObject(object)) return bigIntValue(object);
  return symbolValue(object);
}

module.exports = {
  getter,
  mapForEach: uncurry(Map.prototype.forEach),
  setForEach: uncurry(Set.prototype.forEach),
  dateTime: uncurry(Date.prototype.getTime),
  regExpSource: getter(RegExp.prototype, "source"),
  bufferLength: getter(ArrayBuffer.prototype, "byteLength"),
  bufferMaxLength: getter(ArrayBuffer.prototype, "maxByteLength"),
  bufferResizable: getter(ArrayBuffer.prototype, "resizable"),
  bufferResize: uncurry(ArrayBuffer.prototype.resize),
  bufferBytes,
  viewedPart,
  boxedValue,
};
