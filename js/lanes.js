"use strict";

const { fromFailure } = require("./errors.js");

const resolved = Promise.resolve();

/**
 * The calls that wait for answers of one store. They come by lanes, each of which answers in the
 * order in which it was asked, so a queue of promises per lane is all that has to be remembered.
 */
class Lanes {
  /** For each lane `resolve, reject` of its calls, the oldest first. */
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
    // Each call left two functions, each answer has two parts.
    const calls = this.#waiting[lane].splice(0, answers.length);
    for (let index = 0; index < calls.length; index += 2) {
      if (answers[index]) calls[index](answers[index + 1]);
      else calls[index + 1](fromFailure(answers[index + 1]));
    }
    this.#store.settled(lane, calls.length / 2);
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
    return new Promise((resolve, reject) => this.#waiting[lane].push(resolve, reject));
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
