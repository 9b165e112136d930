// An item of a list that a finger takes by its handle to another place. Nothing changes before the finger leaves.

/** So near to the edge of what scrolls, in pixels, a finger scrolls it. */
const EDGE = 56;
/** Pixels of a picture in which it scrolls. */
const STEP = 8;

/**
 * Follows the finger that has gone down on a handle. The items are the children of `list`, one below the other. `drop(from, to)` is called when the
 * finger leaves at another place; `end` in any case. Returns what gives up the drag.
 */
export function drag(event, list, item, drop, end) {
  const handle = event.currentTarget;
  const items = [...list.children];
  const middles = items.map((other) => other.offsetTop + other.offsetHeight / 2);
  const from = items.indexOf(item);
  const height = items.length > 1 ? Math.abs(items[1].offsetTop - items[0].offsetTop) : 0;
  const view = list.closest(".view");
  const place = (y) => y - list.getBoundingClientRect().top;
  const start = place(event.clientY);
  let [y, to, isOver] = [event.clientY, from, false];

  const show = () => {
    const by = place(y) - start;
    const middle = middles[from] + by;
    to = middles.filter((other, index) => index !== from && other < middle).length;
    items.forEach((other, index) => {
      const shift = index === from ? by : index > from && index <= to ? -height : index < from && index >= to ? height : 0;
      other.style.transform = shift ? `translateY(${shift}px)` : "";
    });
  };
  const scroll = () => {
    if (isOver) return;
    const { top, bottom } = view.getBoundingClientRect();
    const step = y < top + EDGE ? -STEP : y > bottom - EDGE ? STEP : 0;
    if (step !== 0) {
      view.scrollTop += step;
      show();
    }
    requestAnimationFrame(scroll);
  };
  const finish = (isDropped) => {
    if (isOver) return;
    isOver = true;
    item.classList.remove("dragged");
    for (const other of items) other.style.transform = "";
    listening.abort();
    end();
    if (isDropped && to !== from) drop(from, to);
  };
  const listening = new AbortController();
  const on = (target, type, act) => target.addEventListener(type, act, { signal: listening.signal });
  on(handle, "pointermove", (move) => {
    if (move.pointerId !== event.pointerId) return;
    y = move.clientY;
    show();
  });
  on(handle, "pointerup", (up) => {
    // The browser may have kept the last moves back.
    y = up.clientY;
    show();
    finish(true);
  });
  on(handle, "pointercancel", () => finish(false));
  on(handle, "lostpointercapture", () => finish(false));
  on(document, "keydown", (key) => {
    if (key.key === "Escape") finish(false);
  });
  handle.setPointerCapture(event.pointerId);
  item.classList.add("dragged");
  requestAnimationFrame(scroll);
  return () => finish(false);
}
