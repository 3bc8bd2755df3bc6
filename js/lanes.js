"use strict";

const { fromFailure } = require("./errors.js");

/**
 * The calls that wait for the threads of one store. Each thread is a lane: it answers in the order
 * in which it was asked, so a queue of promises per lane is all that has to be remembered.
 */
class Lanes {
  #waiting = [[], []];
  /** Held while something waits: a store that is in use is not collected. */
  #store = null;
  #idle = [];

  /** Takes the answers of a lane: `[ok, value or failure, ...]`. Called by the binding. */
  settle = (lane, answers) => {
    const calls = this.#waiting[lane].splice(0, answers.length / 2);
    this.#store.settled(lane, calls.length);
    calls.forEach(({ resolve, reject }, index) => {
      const value = answers[2 * index + 1];
      if (answers[2 * index]) resolve(value);
      else reject(fromFailure(value));
    });
    if (this.#waiting.every((calls) => calls.length === 0)) {
      this.#store = null;
      for (const resolve of this.#idle.splice(0)) resolve();
    }
  };

  /** @returns {Promise<unknown>} the answer to what `store` was just asked on `lane` */
  wait(store, lane) {
    this.#store = store;
    return new Promise((resolve, reject) => this.#waiting[lane].push({ resolve, reject }));
  }

  /** Resolves when nothing waits any more. */
  idle() {
    if (this.#store === null) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }
}

module.exports = { Lanes };
