// What stands between a stream and an output: a guard that forbids the way, or a device that is away.

import { router } from "../core/router.js";

/** The addresses on which `sayOf` depends. */
export function guardsOf(session, stream, output) {
  return [`/session/${session}/stream/${stream}/never`, `/output/${output}/available`];
}

/** Whether a guard keeps the stream from the output for good. */
export function isGuarded(session, stream, output) {
  return router.values(`/session/${session}/stream/${stream}/never`).includes(output);
}

export function isAway(output) {
  return router.value(`/output/${output}/available`, 1) === 0;
}

/** Why the way is locked, or nothing; and what else is to be said of it. */
export function sayOf(session, stream, output) {
  return [
    isGuarded(session, stream, output) ? `Locked: ${stream} never goes to ${output}. Only an administrator changes this guard.` : "",
    isAway(output) ? "away: waits for its device" : "",
  ];
}
