// Whose fingers are on which faders: everyone else's are seen on the fader.

import { clean } from "./element.js";
import { router } from "./router.js";

const ADDRESS = "/system/touched";

class Fingers extends EventTarget {
  /** The names of others by the address of the level that they touch. */
  #names = new Map();

  start() {
    router.subscribe(ADDRESS);
    router.watch(ADDRESS, (texts) => this.#become(texts));
  }

  // Each text has the address of a level, a client's number and its name.
  #become(texts) {
    const names = new Map();
    for (const text of texts) {
      const [, address, client, name] = /^(\/\S+)\/[^\s/]+ (\d+) ?(.*)$/.exec(text) ?? [];
      if (!address || Number(client) === router.client) continue;
      names.set(address, [...(names.get(address) ?? []), clean(name).trim() || `client ${client}`]);
    }
    this.#names = names;
    this.dispatchEvent(new Event("change"));
  }

  /** Who else touches the fader of an address such as `/session/show`; an empty text if nobody does. */
  on(address) {
    return (this.#names.get(address) ?? []).join(", ");
  }

  /** Calls `change` now and after each change. Returns what ends this. */
  watch(change) {
    this.addEventListener("change", change);
    change();
    return () => this.removeEventListener("change", change);
  }
}

export const fingers = new Fingers();
