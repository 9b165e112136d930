// How much sound goes along a way of the routing, and if none does, why.

import { decibels, OFF } from "../core/level.js";
import { router } from "../core/router.js";
import { isAway, way as guardOf } from "./sends.js";

/** What is less is no sound, in dBFS. */
const SILENCE = -60;

/** The loudest channel of a meter, in dBFS. */
export function meterOf(address) {
  return Math.max(OFF, ...router.values(`/meter${address}`).filter((level) => typeof level === "number"));
}

/** The gains of a way, each with its words: what people can do about it. */
export function gainsOf(way) {
  const fader = (address, words) => ({ words, level: decibels(router.value(`${address}/fader`, 0.75)) });
  if (way.kind === "source") return [];
  if (way.kind === "capture") {
    const own = way.session ? [fader(`/session/${way.session}`, `session ${way.session}`)] : [fader(`/input/${way.input}`, `input ${way.input}`)];
    return [...own, fader(way.part, "its part of what is received")];
  }
  const address = `/session/${way.session}/stream/${way.stream}`;
  return [
    fader(address, `stream ${way.stream}`), fader(`/session/${way.session}`, `session ${way.session}`),
    fader(`${address}/to/${way.output}`, `send to ${way.output}`), fader(`/output/${way.output}`, `output ${way.output}`),
    { words: "ducking", level: router.value(`/session/${way.session}/duck/now`, 0) },
  ];
}

/**
 * The present state of a way. `state`: "sounding", "quiet" (open, but nothing comes), "blocked", "waiting" (for a device or program), "off".
 * `level`: about the level at its end, in dBFS. `reason`: a sentence.
 */
export function stateOf(way) {
  const isOn = (address) => router.value(address) === 1;
  const stop = (state, reason) => ({ state, level: OFF, reason });
  const { session, stream, output } = way;
  const before = way.kind === "capture" && !session ? `/input/${way.input}` : stream ? `/stream/${session}/${stream}` : `/session/${session}`;
  if (way.kind === "output") {
    const address = `/session/${session}/stream/${stream}`;
    const guard = router.values(`${address}/never`).includes(output) ? guardOf(session, stream, output).lock : "";
    if (guard) return stop("blocked", guard);
    if (router.value(`${address}/to/${output}/on`) === 0) return stop("off", `The send of ${stream} to ${output} is switched off.`);
    if (isAway(output)) return stop("waiting", `${output} is away: the way waits for its device.`);
    if (isOn("/system/panic")) return stop("blocked", "Panic is on: all outputs are muted.");
    if (isOn(`/output/${output}/mute`)) return stop("blocked", `The output ${output} is muted.`);
    if (isOn(`${address}/mute`)) return stop("blocked", `The stream ${stream} is muted.`);
  }
  if (session && way.kind !== "source") {
    const why = router.value(`/session/${session}/why`, "");
    if (isOn(`/session/${session}/interrupted`)) return stop("blocked", `${session} is ${why}`);
    if (router.value(`/session/${session}/active`) === 0) return stop("waiting", `${session} is not on air: ${why}`);
    if (isOn(`/session/${session}/mute`)) return stop("blocked", `The session ${session} is muted.`);
  }
  if (way.input && isOn(`/input/${way.input}/mute`)) return stop("blocked", `The input ${way.input} is muted.`);
  const gains = gainsOf(way);
  const closed = gains.find(({ level }) => level <= OFF);
  if (closed) return stop("blocked", `The fader of ${closed.words} is off.`);
  const arriving = meterOf(before);
  if (arriving <= SILENCE) {
    const cause = session ? causeOf(session, stream) : "";
    return stop("quiet", cause || `No sound comes ${way.kind === "source" ? "from there" : `from ${stream ?? session ?? way.input}`} now.`);
  }
  const level = gains.reduce((sum, gain) => sum + gain.level, arriving);
  if (level <= SILENCE) return stop("quiet", `So quiet that nobody hears it: ${Math.round(level)} dBFS after all faders.`);
  return { state: "sounding", level, reason: `Sounds with about ${Math.round(level)} dBFS.` };
}

/** The first cause of silence that the router names for a stream, or for its whole session. */
function causeOf(session, stream) {
  const causes = String(router.value(`/session/${session}/causes`, "none")).split("; ");
  const own = causes.find((cause) => stream && cause.startsWith(`stream ${stream}:`) && !cause.includes("guard forbids"));
  return own ?? causes.find((cause) => /^(program|session|server)\b/.test(cause)) ?? "";
}
