// What this browser remembers: looks and habits. Nothing of the show, and no secret.

const KEY = "multiroute";

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

/** `theme`: "system", "dark", "light" or "contrast". `doubleTap`: "zero" or "off". `me`: the stream that the musician with this phone has chosen as his own. */
export const preferences = { theme: "system", doubleTap: "zero", ...read() };

/** Remembers a preference. A browser that forbids this forgets it with the page. */
export function prefer(name, value) {
  preferences[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences));
  } catch {
    // Private windows may have no storage.
  }
}
