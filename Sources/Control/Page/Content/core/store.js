// The newest value of each address, as the router told it. Who watches an address is called before the browser draws, however many messages
// came: thirty times a second at most, and eight where a picture takes long, so that a storm of faders leaves a slow device room for fingers. The
// first change after a rest is drawn at once.

import { doDue } from "./slowly.js";

/** The least and the greatest time between two changes of the page, in milliseconds: the router tells a value no more often than the least. */
const PAUSE = 30;
const LONGEST_PAUSE = 125;
/** A picture may take one part of so many of the time. */
const SHARE = 20;

export class Store {
  /** The arguments of each address, and the mark at which they were told last. */
  #values = new Map();
  #mark = 0;
  #watchers = new Map();
  #changed = new Set();
  #isAwaited = false;
  #toldAt = 0;
  #pause = PAUSE;
  /** Its message comes when the picture is drawn. */
  #drawn = new MessageChannel();

  constructor() {
    this.#drawn.port1.onmessage = () => {
      this.#pause = Math.min(LONGEST_PAUSE, Math.max(PAUSE, SHARE * (performance.now() - this.#toldAt)));
    };
  }

  /** The arguments of an address, or undefined. */
  get(address) {
    return this.#values.get(address)?.args;
  }

  /** The first argument of an address, or `otherwise` while the router has not told it. */
  value(address, otherwise) {
    return this.get(address)?.[0] ?? otherwise;
  }

  /** Takes what the router tells. A value that is the same as before changes nothing, so that silent meters cost no picture. */
  put(address, args) {
    const value = this.#values.get(address);
    if (value) value.mark = this.#mark;
    if (value && isSame(value.args, args)) return;
    if (value) value.args = args;
    else this.#values.set(address, { args, mark: this.#mark });
    this.#change(address);
  }

  /** A mark that what was told until now does not have. */
  mark() {
    return (this.#mark += 1);
  }

  /** Forgets the values for which `isGone(address)` holds, of those that were told before a mark. Who watches them gets no arguments. */
  forget(isGone, mark = Infinity) {
    for (const [address, value] of this.#values) {
      if (value.mark >= mark || !isGone(address)) continue;
      this.#values.delete(address);
      this.#change(address);
    }
  }

  /**
   * Calls `change(arguments)` before the next picture after each change, and at once if the value is known; without arguments once it is unknown
   * again. Returns what ends this.
   */
  watch(address, change) {
    const watchers = this.#watchers.get(address) ?? new Set();
    this.#watchers.set(address, watchers);
    watchers.add(change);
    const present = this.get(address);
    if (present) change(present);
    return () => {
      watchers.delete(change);
      if (watchers.size === 0 && this.#watchers.get(address) === watchers) this.#watchers.delete(address);
    };
  }

  #change(address) {
    if (!this.#watchers.has(address)) return;
    this.#changed.add(address);
    if (this.#isAwaited) return;
    this.#isAwaited = true;
    setTimeout(() => requestAnimationFrame(() => this.#tell()), Math.max(0, this.#toldAt + this.#pause - performance.now()));
  }

  #tell() {
    this.#isAwaited = false;
    this.#toldAt = performance.now();
    const addresses = this.#changed;
    this.#changed = new Set();
    for (const address of addresses) {
      const args = this.get(address) ?? [];
      // A set goes over what is added meanwhile, and not over what is taken out: both are right here.
      this.#watchers.get(address)?.forEach((change) => change(args));
    }
    doDue();
    this.#drawn.port2.postMessage(null);
  }
}

function isSame(one, other) {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index += 1) if (one[index] !== other[index]) return false;
  return true;
}
