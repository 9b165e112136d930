// What the router has measured of itself in the last minutes: load of the audio thread and of the server, and xruns. It is kept from the moment
// on when the page was opened, so that it is there when somebody looks.

import { router } from "../core/router.js";

/** So many seconds are kept. */
export const SECONDS = 300;
const HEALTH = ["/health/load/{now,server}", "/health/xruns", "/health/server/on"];

class Measured extends EventTarget {
  /** A sample each second, the newest last: `at` (performance.now), `load`, `server` (parts of 1), `xruns` (new ones), `isGone` (no server); null where nothing was known. */
  samples = [];
  #count = null;

  start() {
    for (const pattern of HEALTH) router.subscribe(pattern, 1);
    setInterval(() => this.#take(), 1_000);
  }

  #take() {
    const isLive = router.state === "live";
    const count = router.value("/health/xruns");
    // A router that was started anew counts from 0.
    const xruns = isLive && count !== undefined && this.#count !== null && count > this.#count ? count - this.#count : 0;
    if (isLive && count !== undefined) this.#count = count;
    const value = (address) => (isLive ? router.value(address, null) : null);
    this.samples.push({ at: performance.now(), load: value("/health/load/now"), server: value("/health/load/server"), xruns, isGone: value("/health/server/on") === 1 });
    // A browser lets the clock of a hidden page rest, so the age counts and not the number.
    while (this.samples[0].at < performance.now() - SECONDS * 1_000) this.samples.shift();
    this.dispatchEvent(new Event("change"));
  }
}

export const measured = new Measured();
measured.start();
