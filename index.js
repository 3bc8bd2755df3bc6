"use strict";

const { AtomicOperation } = require("./js/atomic.js");
const { KvError } = require("./js/errors.js");
const { Kv } = require("./js/kv.js");
const { KvListIterator } = require("./js/list.js");
const { KvU64 } = require("./js/u64.js");

/** Opens a store: `new Kv(path, options)` whose file has been created, opened and migrated. */
function openKv(path, options) {
  return Kv.open(path, options);
}

module.exports = { openKv, Kv, AtomicOperation, KvListIterator, KvU64, KvError };
