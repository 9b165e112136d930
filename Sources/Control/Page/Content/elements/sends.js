// What stands between a stream and an output: a guard that forbids the way, a session with one output only, a device that is away.

import { router } from "../core/router.js";

/** The patterns whose values these functions use. */
export const WAYS = ["/session/*/{category,route}", "/session/*/stream/*/never", "/output/*/{name,available}"];

/** The addresses on which a way depends. */
export function addressesOf(session, stream, output) {
  return [
    `/session/${session}/category`, `/session/${session}/route`, `/session/${session}/stream/${stream}/never`, `/output/${output}/available`,
  ];
}

/** Whether the streams of a session have sends: those of all others go to the one output of its route. */
export function hasSends(session) {
  return router.value(`/session/${session}/category`) === "multiRoute";
}

export function isAway(output) {
  return router.value(`/output/${output}/available`, 1) === 0;
}

/** The outputs of a session's present route, which the router tells as `in:mic out:usb,speaker`. */
function routeOf(session) {
  return /\bout:(\S*)/.exec(router.value(`/session/${session}/route`, ""))?.[1].split(",") ?? [];
}

/**
 * How a stream reaches an output. `lock`: the reason why a send there is refused, or nothing. `note`: a sentence about the output, such as that it
 * is away. `isRouted`: whether the session's route leads to the output without a send.
 */
export function way(session, stream, output) {
  const note = isAway(output) ? "away: waits for its device" : "";
  if (router.values(`/session/${session}/stream/${stream}/never`).includes(output)) {
    return { lock: `Locked: ${stream} never goes to ${output}. Only an administrator changes this guard.`, note, isRouted: false };
  }
  if (hasSends(session)) return { lock: "", note, isRouted: false };
  const isRouted = routeOf(session).includes(output);
  const lock = isRouted ? `${session} goes to ${output} by its route.` : `${session} has one output. Only multiRoute sessions send to several.`;
  return { lock, note, isRouted };
}
