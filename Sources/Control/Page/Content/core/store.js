// The newest value of each address, as the router told it. Who watches an address is called at most thirty times a second, before the browser
// draws, however many messages came: no message changes the page by itself.

/** The least time between two changes of the page, in milliseconds: the router tells a value no more often. */
const PAUSE = 30;

export class Store {
  #values = new Map();
  #watchers = new Map();
  #changed = new Set();
  #isAwaited = false;
  #toldAt = 0;

  /** The arguments of an address, or undefined. */
  get(address) {
    return this.#values.get(address);
  }

  /** The first argument of an address, or `otherwise` while the router has not told it. */
  value(address, otherwise) {
    return this.#values.get(address)?.[0] ?? otherwise;
  }

  /** Whether any value of the address, or below it, is known. */
  put(address, args) {
    this.#values.set(address, args);
    if (!this.#watchers.has(address)) return;
    this.#changed.add(address);
    this.#await();
  }

  /** Forgets the values for which `isGone(address)` holds. */
  forget(isGone) {
    for (const address of this.#values.keys()) if (isGone(address)) this.#values.delete(address);
  }

  /** Calls `change(arguments)` before the next picture after each change, and at once if the value is known. Returns what ends this. */
  watch(address, change) {
    const watchers = this.#watchers.get(address) ?? new Set();
    this.#watchers.set(address, watchers);
    watchers.add(change);
    const present = this.#values.get(address);
    if (present) change(present);
    return () => {
      watchers.delete(change);
      if (watchers.size === 0 && this.#watchers.get(address) === watchers) this.#watchers.delete(address);
    };
  }

  #await() {
    if (this.#isAwaited) return;
    this.#isAwaited = true;
    setTimeout(() => requestAnimationFrame(() => this.#tell()), Math.max(0, this.#toldAt + PAUSE - performance.now()));
  }

  #tell() {
    this.#isAwaited = false;
    this.#toldAt = performance.now();
    const addresses = this.#changed;
    this.#changed = new Set();
    for (const address of addresses) {
      const args = this.#values.get(address);
      if (args) for (const change of [...(this.#watchers.get(address) ?? [])]) change(args);
    }
  }
}
