// What a recall would change: asked for as a preview, and shown as sentences and, where a person wants it, as ghosts on the faders.

import { OFF } from "./level.js";
import { router } from "./router.js";

/** How often ghosts are asked for again, in milliseconds: others may move faders meanwhile. */
const AGAIN = 2_000;

/** The differences that a recall of a preset would make: address, value now, value then, and what a person would hear. */
export async function preview(preset) {
  const rows = await router.list(`/preset/${preset}/preview`);
  return rows.map(([address, now, then, effect]) => ({ address, now, then, effect }));
}

class Foresight extends EventTarget {
  #coming = new Map();
  #ends = null;
  #timer = null;

  /** Whether the faders have ghosts. */
  get isOn() {
    return this.#ends !== null;
  }

  /** The preset whose ghosts are shown: the one on standby; empty while there are none. */
  get preset() {
    const preset = this.isOn ? router.value("/preset/standby", "none") : "none";
    return preset === "none" ? "" : preset;
  }

  /** Gives all faders ghosts, or takes them away. */
  turn(isOn) {
    if (isOn === this.isOn) return;
    for (const end of this.#ends ?? []) end();
    this.#ends = isOn ? [router.subscribe("/preset/standby"), router.watch("/preset/standby", () => this.refresh())] : null;
    this.refresh();
  }

  /** Asks again, such as after a recall. */
  async refresh() {
    clearTimeout(this.#timer);
    const preset = this.preset;
    if (!preset) return this.#become(new Map());
    let coming = new Map();
    try {
      coming = new Map((await preview(preset)).map(({ address, then }) => [address, then]));
    } catch {
      // A preset that cannot be read has no ghosts; the subject with the scenes says why.
    }
    if (preset !== this.preset) return;
    this.#become(coming);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.refresh(), AGAIN);
  }

  #become(coming) {
    this.#coming = coming;
    this.dispatchEvent(new Event("change"));
  }

  /** The value that an address would have, as a text, or undefined if it would stay. */
  then(address) {
    return this.#coming.get(address);
  }

  /** The level in dB that an address such as `/session/show` would have, or null if it would stay. */
  level(address) {
    const text = this.then(`${address}/gain`);
    if (text === undefined || text === "none") return null;
    return text === "off" ? OFF : Number(text);
  }

  /** Calls `change` now and after each change. Returns what ends this. */
  watch(change) {
    this.addEventListener("change", change);
    change();
    return () => this.removeEventListener("change", change);
  }
}

export const foresight = new Foresight();
