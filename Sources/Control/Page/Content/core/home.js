// What a device offers to a page: the whole screen, and a screen that stays on. Browsers give the second to secure pages only.

import { h } from "./element.js";
import { prefer, preferences } from "./preferences.js";

const HINT = "The screen goes dark as this device is set. Set its display to stay on: a page may do that only over https or on the router's own machine.";

/** Keeps the screen on, or says once with `tell` how a person does it. */
export function keepAwake(tell) {
  if (isSecureContext && navigator.wakeLock) {
    const ask = () => {
      // A browser may refuse, as with an empty battery.
      if (document.visibilityState === "visible") navigator.wakeLock.request("screen").catch(() => {});
    };
    document.addEventListener("visibilitychange", ask);
    ask();
  } else if (!preferences.hasHint && navigator.maxTouchPoints > 0) {
    prefer("hasHint", true);
    tell(HINT);
  }
}

/** A button for the whole screen; nothing where the browser has none. */
export function fullScreen() {
  if (!document.fullscreenEnabled) return null;
  const toggle = () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => {});
  return h("button", { type: "button", class: "whole", onclick: toggle }, "Whole screen");
}

/** A colour for a name, so that the pages of two routers differ. */
export function colourOf(name) {
  let hash = 0;
  for (const character of name) hash = (hash * 31 + character.codePointAt(0)) % 360;
  return `hsl(${hash} 60% 50%)`;
}
