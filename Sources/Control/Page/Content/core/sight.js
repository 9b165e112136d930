// Which elements are on the glass, or nearly: what is not need not be drawn anew for each message.

const changes = new WeakMap();

const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) changes.get(target)?.(isIntersecting);
  },
  // What comes into sight must show its value already.
  { rootMargin: "200px", scrollMargin: "200px" },
);

/** Calls `change(isInSight)` soon, and after each change. Returns what ends this. */
export function watchSight(element, change) {
  changes.set(element, change);
  observer.observe(element);
  return () => observer.unobserve(element);
}
