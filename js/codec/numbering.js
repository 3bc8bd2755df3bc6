"use strict";

/** The numbers by which later references call the objects of a value: in order, from 0. */
class Numbering {
  /** Kept apart: most values are one flat object, which then needs no table. */
  #first = null;
  #others = new Map();
  #count = 0;

  /** The number of an object, undefined when it has none. */
  find(object) {
    if (this.#count === 0) return undefined;
    return object === this.#first ? 0 : this.#others.get(object);
  }

  add(object) {
    if (this.#count === 0) this.#first = object;
    else this.#others.set(object, this.#count);
    this.#count++;
  }

  /** Takes a number for what nothing can refer to. */
  skip() {
    this.#count++;
  }

  clear() {
    if (this.#count > 1) this.#others.clear();
    this.#first = null;
    this.#count = 0;
  }
}

module.exports = { Numbering };
