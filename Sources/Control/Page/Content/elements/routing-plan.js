// What the picture of the routing shows: programs, inputs and players on the left, sessions with their streams in the middle, outputs and what
// programs receive on the right, and the ways between them.

import { clean } from "../core/element.js";
import { model } from "../core/model.js";
import { router } from "../core/router.js";
import { captures } from "./capture-strip.js";
import { hasSends, WAYS } from "./sends.js";

/** The patterns whose values a plan and its ways use. */
export const PLAN = [
  ...WAYS, "/session/*/{active,interrupted,mute,fader,why,causes,ducked}", "/session/*/duck/now",
  "/session/*/stream/*/{from,fader,mute}", "/session/*/stream/*/to/*/{on,fader}",
  "/session/*/capture/{channels,route,why}", "/session/*/capture/{session,input}/*/{on,fader}",
  "/{output,input}/*/{name,available,mute,fader}", "/player/*/stream", "/system/panic",
];

/** The program, device or input of a text in `from`, such as `Band:out_*`, `input:mic:1-2` or `{application=Firefox}`. */
function sourceOf(text) {
  const words = clean(text);
  const input = /^input:([^:]+)/.exec(words);
  if (input) return { key: `/input/${input[1]}`, name: input[1], kind: "input" };
  const name = /^\{.*?(?:application|node)=([^,}]+)/.exec(words)?.[1] ?? words.replace(/:[^:]*$/, "");
  return { key: `program ${name}`, name, kind: "program" };
}

/** The inputs of a session's present route, which the router tells as `in:mic out:usb`. */
function inputsOf(session) {
  const text = /\bin:(\S*)/.exec(router.value(`/session/${session}/route`, ""))?.[1] ?? "none";
  return text.split(",").filter((id) => model.inputs.includes(id));
}

function outputsOf(session) {
  const text = /\bout:(\S*)/.exec(router.value(`/session/${session}/route`, ""))?.[1] ?? "none";
  return text.split(",").filter((id) => model.outputs.includes(id));
}

/**
 * The plan: `sources` and `sinks` (key, name, kind), `sessions` (id, streams), and `ways` from a key to a key. The key of a port is its address,
 * that of a stream its address, that of what a session's programs receive `SESSION/capture`.
 * @param players ids
 */
export function routingPlan(players) {
  const sources = new Map();
  const ways = [];
  const source = (found) => {
    if (!sources.has(found.key)) sources.set(found.key, found);
    return found.key;
  };
  const sessions = model.sessions.map((session) => {
    const streams = model.streams.get(session) ?? [];
    for (const stream of streams) {
      const address = `/session/${session}/stream/${stream}`;
      for (const text of router.values(`${address}/from`)) {
        if (!text || text === "none") continue;
        const from = source(sourceOf(text));
        if (!ways.some((way) => way.from === from && way.to === address)) ways.push({ kind: "source", from, to: address, session, stream });
      }
      for (const player of players) {
        if (router.value(`/player/${player}/stream`) !== `${session}.${stream}`) continue;
        ways.push({ kind: "source", from: source({ key: `/player/${player}`, name: player, kind: "player" }), to: address, session, stream });
      }
      // A send that was never made has no level, and is no way.
      const outputs = hasSends(session)
        ? model.outputs.filter((output) => router.value(`${address}/to/${output}/fader`) !== undefined)
        : outputsOf(session);
      for (const output of outputs) ways.push({ kind: "output", from: address, to: `/output/${output}`, session, stream, output });
    }
    return { id: session, streams };
  });
  const receivers = captures();
  for (const receiver of receivers) {
    const to = `/session/${receiver}/capture`;
    const isOn = (kind, id) => router.value(`${to}/${kind}/${id}/on`) === 1;
    for (const id of model.sessions) if (isOn("session", id)) ways.push({ kind: "capture", from: `/session/${id}`, to, session: id, part: `${to}/session/${id}` });
    const routed = router.value(`${to}/route`) === 1 ? inputsOf(receiver) : [];
    for (const id of model.inputs) {
      if (!isOn("input", id) && !routed.includes(id)) continue;
      ways.push({ kind: "capture", from: source({ key: `/input/${id}`, name: id, kind: "input" }), to, input: id, part: `${to}/input/${id}` });
    }
  }
  const sinks = [
    ...model.outputs.map((id) => ({ key: `/output/${id}`, name: id, kind: "output" })),
    ...receivers.map((id) => ({ key: `/session/${id}/capture`, name: `${id} receives`, kind: "capture" })),
  ];
  return { sources: [...sources.values()], sessions, sinks, ways };
}
