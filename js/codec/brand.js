"use strict";

// What kind of object a value is, told by what the engine keeps inside it (internal slots), which no
// prototype, constructor or Symbol.toStringTag can fake and which is the same in every realm. Only
// the runtime can tell a Proxy, hence `node:util`; Node, Deno and Bun all have it.
const { types } = require("node:util");
const { isIndex } = require("./index-key");

/** Objects told apart. REFUSED holds whatever a store cannot give back. */
const BRAND = Object.freeze({
  PLAIN: "plain",
  ARRAY: "array",
  MAP: "Map",
  SET: "Set",
  DATE: "Date",
  REGEXP: "RegExp",
  ERROR: "Error",
  BOXED: "boxed",
  BUFFER: "ArrayBuffer",
  VIEW: "view",
  REFUSED: "refused",
});

const { getPrototypeOf, getOwnPropertyDescriptor } = Object;
const hasOwn = Function.prototype.call.bind(Object.prototype.hasOwnProperty);
const inherits = Function.prototype.call.bind(Object.prototype.isPrototypeOf);
const sourceOf = Function.prototype.call.bind(Function.prototype.toString);

const ObjectPrototype = Object.prototype;
const IteratorPrototype = getPrototypeOf(getPrototypeOf([][Symbol.iterator]()));

/** Kinds that cannot be cloned and that the engine tells by their slots. */
const REFUSED_BY_SLOT = [
  types.isArgumentsObject,
  types.isPromise,
  types.isWeakMap,
  types.isWeakSet,
  types.isGeneratorObject,
  types.isMapIterator,
  types.isSetIterator,
  types.isModuleNamespaceObject,
  types.isSharedArrayBuffer,
];

/**
 * @param {object} object not callable
 * @returns {string} one of BRAND
 */
function brandOf(object) {
  if (types.isProxy(object)) return BRAND.REFUSED;
  if (Array.isArray(object)) return BRAND.ARRAY;
  return isSurelyPlain(object) ? BRAND.PLAIN : brandBySlots(object);
}

/**
 * The short road of nearly every object: a root prototype (of any realm, or none) and a property whose
 * key is no index. What else could wear such a prototype is a built-in that was given it, and those
 * have no properties, or begin with indices as a typed array does: the long road tells them.
 */
function isSurelyPlain(object) {
  const prototype = getPrototypeOf(object);
  if (prototype !== ObjectPrototype && prototype !== null && getPrototypeOf(prototype) !== null) {
    return false;
  }
  for (const key in object) if (hasOwn(object, key)) return !isIndex(key);
  return false;
}

function brandBySlots(object) {
  if (ArrayBuffer.isView(object)) return BRAND.VIEW;
  if (types.isMap(object)) return BRAND.MAP;
  if (types.isSet(object)) return BRAND.SET;
  if (types.isDate(object)) return BRAND.DATE;
  if (types.isRegExp(object)) return BRAND.REGEXP;
  if (types.isArrayBuffer(object)) return BRAND.BUFFER;
  if (types.isBoxedPrimitive(object)) return BRAND.BOXED;
  if (REFUSED_BY_SLOT.some((holds) => holds(object)) || isPlatformObject(object)) {
    return BRAND.REFUSED;
  }
  return types.isNativeError(object) ? BRAND.ERROR : BRAND.PLAIN;
}

/** Constructors whose instances `brandBySlots` tells: to inherit from one makes nothing of an object. */
const TOLD_BY_SLOTS = new Set(
  [
    "Object Function Array Map Set Date RegExp Number String Boolean Symbol BigInt ArrayBuffer",
    "SharedArrayBuffer DataView TypedArray Int8Array Uint8Array Uint8ClampedArray Int16Array",
    "Uint16Array Int32Array Uint32Array Float16Array Float32Array Float64Array BigInt64Array",
    "BigUint64Array Promise WeakMap WeakSet Error EvalError RangeError ReferenceError SyntaxError",
    "TypeError URIError AggregateError SuppressedError CompileError LinkError RuntimeError",
  ].flatMap((names) => names.split(" ")),
);

const NATIVE_SOURCE = /^(function|class) \w*\s*\(?\)?\s*\{\s*\[native code\]\s*\}$/;

/** Prototype -> whether objects under it belong to the platform. */
const verdicts = new WeakMap();

/**
 * Whether an object is one of the runtime's own (URL, Response, AbortSignal, WeakRef, Intl.*, an
 * iterator), or of a class made from one. What such an object holds is out of reach, so it would
 * silently become `{}`. No slot tells them in all runtimes; their constructors do: written in native
 * code, or a global that does not enumerate, as only the platform defines them.
 */
function isPlatformObject(object) {
  if (inherits(IteratorPrototype, object)) return true;
  const prototype = getPrototypeOf(object);
  if (prototype === null) return false;
  let verdict = verdicts.get(prototype);
  if (verdict === undefined) {
    verdict = isPlatformPrototype(prototype) || isPlatformObject(prototype);
    verdicts.set(prototype, verdict);
  }
  return verdict;
}

function isPlatformPrototype(prototype) {
  const constructor = getOwnPropertyDescriptor(prototype, "constructor")?.value;
  if (typeof constructor !== "function" || types.isProxy(constructor)) return false;
  if (getOwnPropertyDescriptor(constructor, "prototype")?.value !== prototype) return false;
  const name = getOwnPropertyDescriptor(constructor, "name")?.value;
  if (typeof name !== "string") return false;
  const native = NATIVE_SOURCE.test(sourceOf(constructor));
  if (native && TOLD_BY_SLOTS.has(name)) return false;
  if (native) return true;
  const global = getOwnPropertyDescriptor(globalThis, name);
  return global !== undefined && !global.enumerable && globalThis[name] === constructor;
}

/** What a refused object is, for the words of an error only. */
function describe(object) {
  if (types.isProxy(object)) return "a Proxy";
  if (types.isArgumentsObject(object)) return "an arguments object";
  const prototype = getPrototypeOf(object) ?? object;
  const constructor = getOwnPropertyDescriptor(prototype, "constructor")?.value;
  const name = constructor && getOwnPropertyDescriptor(constructor, "name")?.value;
  return typeof name === "string" ? `an object of class ${name}` : "an object of this kind";
}

module.exports = { BRAND, brandOf, describe };
