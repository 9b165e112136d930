// Which players or recorders there are.

import { h, keep } from "../core/element.js";
import { router } from "../core/router.js";

/** Keeps `holder` filled with a `tag` for each row of `/KIND/list` while `element` is on the page. `changed` gets the ids. */
export function keepParts(element, kind, tag, holder, changed) {
  let [isReading, isStale] = [false, false];
  const read = async () => {
    if (isReading) return (isStale = true);
    if (router.state !== "live") return;
    [isReading, isStale] = [true, false];
    try {
      const ids = (await router.list(`/${kind}/list`)).map(([id]) => id);
      keep(holder, ids, (id) => h(tag, { [kind]: id }));
      changed(ids);
    } catch {
      // The connection was lost: the next one reads again.
    }
    isReading = false;
    if (isStale) read();
  };
  const onEvent = (event) => {
    if (event.detail.address === `/event/${kind}`) read();
  };
  router.addEventListener("event", onEvent);
  router.addEventListener("structure", read);
  element.until(() => {
    router.removeEventListener("event", onEvent);
    router.removeEventListener("structure", read);
  });
  element.subscribe("/event/*");
  read();
}
