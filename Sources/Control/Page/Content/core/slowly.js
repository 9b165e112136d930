// Work that need not be done for each picture, such as texts and what screen readers are told: four times a second at most (less often when
// many elements change at once), and always for the last change. It is done with a picture that is drawn anyway, because each costs as much again.

const PAUSE = 250;
/** The pause for each element that has work: where texts of 64 faders change at once, they change once a second. */
const PAUSE_EACH = 15;
const LONGEST_PAUSE = 1_000;
/** How long the work waits for a picture. */
const PATIENCE = 100;

const waiting = new Map();
let isAwaited = false;
let pause = PAUSE;
/** Ends the waiting for a picture; null while none is waited for. */
let isDue = null;

/** Does `work` soon. Only the newest work of an element is done. */
export function slowly(element, work) {
  waiting.set(element, work);
  if (isAwaited) return;
  isAwaited = true;
  setTimeout(() => (isDue = setTimeout(doDue, PATIENCE)), pause);
}

/** Does what is due, as a picture is drawn now. */
export function doDue() {
  if (isDue === null) return;
  clearTimeout(isDue);
  isDue = null;
  isAwaited = false;
  const all = [...waiting.values()];
  waiting.clear();
  pause = Math.max(PAUSE, Math.min(LONGEST_PAUSE, PAUSE_EACH * all.length));
  for (const work of all) work();
}
