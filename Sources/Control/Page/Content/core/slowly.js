// Work that need not be done for each picture, such as texts and what screen readers are told: four times a second at most, and always
// for the last change.

const PAUSE = 250;

const waiting = new Map();
let isAwaited = false;

/** Does `work` soon. Only the newest work of an element is done. */
export function slowly(element, work) {
  waiting.set(element, work);
  if (isAwaited) return;
  isAwaited = true;
  setTimeout(() => {
    isAwaited = false;
    const all = [...waiting.values()];
    waiting.clear();
    for (const work of all) work();
  }, PAUSE);
}
