// Which groups, sessions, streams, outputs and inputs there are, as the lists of the router say. Everything else about them is values.

import { router } from "./router.js";

class Model extends EventTarget {
  /** Ids in the router's order. */
  groups = [];
  sessions = [];
  /** The ids of the streams of each session, by its id. */
  streams = new Map();
  outputs = [];
  inputs = [];
  #isReading = false;
  #isStale = false;

  start() {
    router.addEventListener("structure", () => this.#read());
    document.addEventListener("visibilitychange", () => this.#isStale && this.#read());
  }

  /** Calls `change` now and after each change. Returns what ends this. */
  watch(change) {
    this.addEventListener("change", change);
    change();
    return () => this.removeEventListener("change", change);
  }

  async #read() {
    this.#isStale = true;
    // The next connection, or a look at the page, lets it read.
    if (this.#isReading || !router.mayView || document.hidden) return;
    this.#isReading = true;
    this.#isStale = false;
    try {
      const ids = async (address, ...args) => (await router.list(address, ...args)).map((row) => row[0]);
      const [groups, sessions, outputs, inputs] = await Promise.all([
        ids("/group/list"), ids("/session/list"), ids("/output/list"), ids("/input/list"),
      ]);
      const streams = new Map(
        await Promise.all(sessions.map(async (session) => [session, await ids(`/session/${session}/stream/list`)])));
      this.#become(groups, sessions, streams, outputs, inputs);
    } catch {
      // The connection was lost, or a session went meanwhile: its event, or the next connection, lets this read again.
    }
    this.#isReading = false;
    if (this.#isStale) this.#read();
  }

  #become(groups, sessions, streams, outputs, inputs) {
    const text = (...lists) => JSON.stringify(lists);
    const before = text(this.groups, this.sessions, [...this.streams], this.outputs, this.inputs);
    if (before === text(groups, sessions, [...streams], outputs, inputs)) return;
    Object.assign(this, { groups, sessions, streams, outputs, inputs });
    this.dispatchEvent(new Event("change"));
  }
}

export const model = new Model();
