// The rows of a list of the router, read again when something may have come, gone or moved, as it has no address that tells so.

import { router } from "./router.js";

/** How often a list is read again without a reason, in milliseconds. */
const AGAIN = 3_000;

/** Calls `show(rows)` now and after each change of a list, while `element` is on the page. Returns what reads it at once. */
export function follow(element, address, show, ...args) {
  let before = null;
  let isReading = false;
  let isStale = false;
  const read = async () => {
    if (isReading) {
      isStale = true;
      return;
    }
    if (router.state !== "live" || document.hidden || !element.isConnected) return;
    isReading = true;
    try {
      do {
        isStale = false;
        const rows = await router.list(address, ...args);
        const text = JSON.stringify(rows);
        if (text !== before && element.isConnected) {
          before = text;
          show(rows);
        }
      } while (isStale);
    } catch {
      // The connection was lost, or what has the list is gone: the list of what there is tells that.
    }
    isReading = false;
  };
  const timer = setInterval(read, AGAIN);
  element.until(() => clearInterval(timer));
  for (const type of ["structure", "state"]) {
    router.addEventListener(type, read);
    element.until(() => router.removeEventListener(type, read));
  }
  read();
  return read;
}
