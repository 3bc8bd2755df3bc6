"use strict";

// index.d.ts is written by hand: what it declares is there at run time, and nothing else is.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { describe, it } = require("node:test");
const ts = require("./node_modules/typescript");
const fencekv = require("../../index.js");

const ROOT = path.resolve(__dirname, "../..");
const DECLARATIONS = path.join(ROOT, "index.d.ts");

// Members that are there at run time and that Deno's declarations leave out too.
const UNDECLARED = {
  AtomicOperation: ["then"],
  KvU64: ["Symbol.toStringTag", "toString", "valueOf"],
};

// What a class has of its own without any static member.
const STATICS = ["length", "name", "prototype"];

const declared = readDeclarations();

describe("index.d.ts", () => {
  it("declares the values that are exported, to either kind of module", async () => {
    const names = Object.keys(declared.values).sort();
    assert.deepEqual(Object.keys(fencekv).sort(), names);
    const { default: whole, ...named } = await import("../../index.mjs");
    assert.equal(whole, fencekv);
    assert.deepEqual({ ...named }, fencekv, "either way it is the same classes");
  });

  for (const [name, members] of Object.entries(declared.classes)) {
    it(`declares the members of ${name}`, () => {
      const prototype = fencekv[name].prototype;
      const actual = Reflect.ownKeys(prototype)
        .filter((key) => isPublic(prototype, key))
        .map(spell)
        .filter((member) => !UNDECLARED[name]?.includes(member));
      assert.deepEqual(actual.sort(), members.sort());
      assert.deepEqual(
        Object.keys(Object.getOwnPropertyDescriptors(fencekv[name])).sort(),
        STATICS,
      );
    });
  }

  it("names the options that are known", () => {
    for (const option of declared.options) {
      assert.notEqual(refusal({ [option]: Symbol("no such value") }), "UNKNOWN_OPTION", option);
    }
    assert.equal(refusal({ "no such option": 1 }), "UNKNOWN_OPTION");
  });

  it("names the codes that docs/errors.md explains", () => {
    const errors = fs.readFileSync(path.join(ROOT, "docs/errors.md"), "utf8");
    const explained = errors.match(/(?<=^\| `)[A-Z_]+(?=`)/gm);
    assert.deepEqual(declared.codes.sort(), explained.sort());
  });

  it("names the limits that are known", () => {
    for (const limit of declared.limits) {
      assert.equal(refusal({ limits: { [limit]: 1 } }), undefined, limit);
    }
    assert.equal(refusal({ limits: { "no such limit": 1 } }), "UNKNOWN_OPTION");
  });
});

/** The code with which a handle with these options is refused, undefined when it is not. */
function refusal(options) {
  try {
    new fencekv.Kv(":memory:", options).close();
    return undefined;
  } catch (error) {
    return error.code;
  }
}

/**
 * Whether it is declared as a method or an accessor. Other symbols than the language's own are for
 * consoles, not for callers.
 */
function isPublic(prototype, key) {
  if (key === "constructor" || spell(key) === undefined) return false;
  const { value, get } = Object.getOwnPropertyDescriptor(prototype, key);
  return typeof value === "function" || get !== undefined;
}

/** As it stands in the declarations. */
function spell(key) {
  if (typeof key !== "symbol") return key;
  const name = Object.getOwnPropertyNames(Symbol).find((each) => Symbol[each] === key);
  return name && `Symbol.${name}`;
}

/** Names in index.d.ts: exported values, members of classes that stand on the prototype, options. */
function readDeclarations() {
  const program = ts.createProgram([DECLARATIONS], {
    strict: true,
    lib: ["lib.es2022.d.ts", "lib.esnext.disposable.d.ts", "lib.dom.d.ts"],
    types: [],
  });
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(DECLARATIONS));
  const symbols = checker.getExportsOfModule(module);
  const typeOf = (name) =>
    checker.getDeclaredTypeOfSymbol(symbols.find((symbol) => symbol.name === name));
  const propertiesOf = (name) =>
    typeOf(name)
      .getProperties()
      .map((property) => property.name);
  const literalsOf = (name) => typeOf(name).types.map(({ value }) => value);
  const values = symbols.filter((symbol) => symbol.flags & ts.SymbolFlags.Value);
  const classes = values.filter((symbol) => symbol.flags & ts.SymbolFlags.Class);
  return {
    values: Object.fromEntries(values.map((symbol) => [symbol.name, symbol])),
    classes: Object.fromEntries(classes.map((symbol) => [symbol.name, prototypeMembers(symbol)])),
    codes: [...literalsOf("KvMisuseCode"), ...literalsOf("KvErrorCode")],
    options: propertiesOf("KvOptions"),
    limits: propertiesOf("KvLimits"),
  };
}

function prototypeMembers(symbol) {
  return symbol.declarations
    .find(ts.isClassDeclaration)
    .members.filter((member) => ts.isMethodDeclaration(member) || ts.isGetAccessor(member))
    .map((member) => member.name.getText().replace(/^\[(.*)\]$/, "$1"));
}
