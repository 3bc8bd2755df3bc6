"use strict";

// Values to bytes and back, in V8's structured-clone format, alike on every runtime.
module.exports = { ...require("./encode"), ...require("./decode") };
