"use strict";

const { fromFailure } = require("./errors.js");

const resolved = Promise.resolve();

/**
 * The calls that wait for answers of one store. They come by lanes, each of which answers in the
 * order in which it was asked, so a queue of promises per lane is all that has to be remembered.
 */
class Lanes {
  #waiting = [[], [], []];
  /** Held while something waits: a store that is in use is not collected. */
  #store = null;
  #ending = 0;
  #ended;
  #flushing = false;

  /**
   * Takes the answers of a lane, `[ok, value or failure, ...]`, or undefined: the lane has ended.
   * Called by the binding.
   */
  settle = (lane, answers) => {
    // A handle that was dropped without a close ends by itself, and nobody waits for it.
    if (this.#store === null) return;
    if (answers === undefined) {
      this.#ending -= 1;
      this.#store.ended();
    } else {
      this.#answer(lane, answers);
    }
    if (this.#ending > 0 || this.#waiting.some((calls) => calls.length > 0)) return;
    this.#store = null;
    this.#ended?.();
  };

  #answer(lane, answers) {
    const calls = this.#waiting[lane].splice(0, answers.length / 2);
    calls.forEach(({ resolve, reject }, index) => {
      const value = answers[2 * index + 1];
      if (answers[2 * index]) resolve(value);
      else reject(fromFailure(value));
    });
    this.#store.settled(lane, calls.length);
  }

  /** @returns {Promise<unknown>} the answer to what `store` was just asked on `lane` */
  wait(store, lane) {
    this.#store = store;
    if (!this.#flushing) {
      this.#flushing = true;
      // At the end of this turn, so that what is asked in one turn shares one transaction. Not by
      // queueMicrotask, which fake timers may hold back.
      resolved.then(this.#flush);
    }
    return new Promise((resolve, reject) => this.#waiting[lane].push({ resolve, reject }));
  }

  #flush = () => {
    this.#flushing = false;
    this.#store?.flush();
  };

  /** @returns {Promise<void>} until the `ending` lanes of a closed `store` have ended */
  end(store, ending) {
    if (ending === 0) return resolved;
    this.#store = store;
    this.#ending = ending;
    return new Promise((resolve) => (this.#ended = resolve));
  }
}

module.exports = { Lanes };
