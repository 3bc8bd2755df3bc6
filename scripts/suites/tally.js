"use strict";

/** What the suites found: counted, and by name where a reader must act. */
class Tally {
  passed = 0;
  /** @type {string[]} */
  failed = [];
  /** @type {{ name: string, reason: string }[]} */
  skipped = [];

  /** No test ran: an empty run proves nothing, so it is no success. */
  get isEmpty() {
    return this.passed === 0 && this.failed.length === 0;
  }

  /** Takes up what another suite found. */
  add(other) {
    this.passed += other.passed;
    this.failed.push(...other.failed);
    this.skipped.push(...other.skipped);
  }

  /** Names what was skipped and what failed, then gives the totals alone on the last line. */
  print() {
    printNamed(
      "skipped",
      this.skipped.map(({ name, reason }) => `${name} (${reason})`),
    );
    printNamed("failed", this.failed);
    const counts = [
      `${this.passed} passed`,
      `${this.failed.length} failed`,
      `${this.skipped.length} skipped`,
    ];
    console.log(`\n${counts.join(", ")}`);
  }
}

function printNamed(title, lines) {
  if (lines.length > 0) console.log([`\n${title}:`, ...lines].join("\n  "));
}

module.exports = { Tally };
