"use strict";

const { AtomicOperation } = require("./js/atomic.js");
const { KvError } = require("./js/errors.js");
const { Kv, openKv } = require("./js/kv.js");
const { KvListIterator } = require("./js/list.js");
const { KvU64 } = require("./js/u64.js");

module.exports = { openKv, Kv, AtomicOperation, KvListIterator, KvU64, KvError };
