// The mixer: a strip for each group, session, output, input and capture.

import { h, keep, PageElement } from "../core/element.js";
import { model } from "../core/model.js";
import { router } from "../core/router.js";
import { subject } from "../core/subjects.js";
import { captures } from "./capture-strip.js";
import "./group-strip.js";
import "./monitoring.js";
import "./port-strip.js";
import "./session-strip.js";

/** How often a fader out of sight is wanted, a second: a screen reader is told as often. */
const UNSEEN = 4;
/** So far beside the glass, in pixels, a strip already gets its meter and the pace of its fader. */
const NEAR = 220;
/** How long the strips must rest before others are asked for, in milliseconds. */
const REST = 100;
/** The router takes patterns of at most 1,024 bytes, with what stands before and behind the ids. */
const LONGEST = 990;

/** Lists of ids, each short enough for a pattern. */
function lists(ids) {
  const all = [];
  for (const id of ids) {
    const last = all.at(-1);
    if (last !== undefined && last.length + 1 + id.length <= LONGEST) all[all.length - 1] = `${last},${id}`;
    else all.push(id);
  }
  return all;
}

class Mixer extends PageElement {
  #sessions = new Set();
  /** The strips in sight, and the subscriptions to their meters and faders, each with what ends it. */
  #seen = new Set();
  #wanted = new Map();
  #resting = null;

  build() {
    this.groups = ["Groups", "Sessions", "Outputs", "Inputs", "Captures"].map((title) =>
      h("section", { class: "group", "aria-label": title }, h("h2", {}, title), h("div", { class: "strips" })));
    this.desk = h("div", { class: "desk", tabindex: 0, role: "region", "aria-label": "Mixer" }, ...this.groups);
    this.monitoring = h("mr-monitoring", { hidden: true });
    this.append(this.monitoring, this.desk);
  }

  connect() {
    this.sight = new IntersectionObserver((entries) => this.#look(entries), { root: this.desk, rootMargin: `0px ${NEAR}px` });
    for (const strip of this.querySelectorAll(".strip")) this.sight.observe(strip);
    this.until(() => this.#lookAway());
    this.subscribe("/group/*");
    this.subscribe("/session/*/{name,color,category,active,activate,max,mute,solo,interrupted,ducked,why,causes}");
    this.subscribe("/session/*/fader", UNSEEN);
    this.subscribe("/session/*/duck/now");
    this.subscribe("/session/*/capture/{why,channels,route}");
    this.subscribe("/output/*");
    this.subscribe("/input/*");
    this.until(model.watch(() => this.#fill()));
  }

  #fill() {
    const [groups, sessions, outputs, inputs, guests] = this.groups;
    this.#set(groups, "mr-group-strip", model.groups.map((id) => `/group/${id}`));
    this.#set(sessions, "mr-session-strip", model.sessions.map((id) => `/session/${id}`));
    this.#set(outputs, "mr-port-strip", model.outputs.map((id) => `/output/${id}`));
    this.#set(inputs, "mr-port-strip", model.inputs.map((id) => `/input/${id}`));
    this.#set(guests, "mr-capture-strip", captures().map((id) => `/session/${id}`));
    for (const id of model.sessions) this.#watchCapture(id);
  }

  // Meters are most of what comes while nothing moves, and faders while a scene moves all. So only those in sight are asked for at their pace.
  #look(entries) {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) this.#seen.add(target);
      else this.#seen.delete(target);
    }
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.#want(), REST);
  }

  #want() {
    const kinds = new Map();
    for (const strip of this.#seen) {
      if (!strip.isConnected) continue;
      const [, , kind, id] = strip.querySelector("mr-meter").getAttribute("address").split("/");
      kinds.set(kind, [...(kinds.get(kind) ?? []), id]);
    }
    const wanted = new Set();
    for (const [kind, ids] of kinds) {
      for (const names of lists(ids.sort())) {
        wanted.add(`/meter/${kind}/{${names}}`);
        if (kind === "session") wanted.add(`/session/{${names}}/fader`);
      }
    }
    const before = this.#wanted;
    this.#wanted = new Map([...wanted].map((pattern) => [pattern, before.get(pattern) ?? router.subscribe(pattern)]));
    for (const [pattern, end] of before) if (!wanted.has(pattern)) end();
  }

  #lookAway() {
    this.sight.disconnect();
    clearTimeout(this.#resting);
    this.#seen.clear();
    this.#want();
  }

  /** A session may get a capture later. */
  #watchCapture(id) {
    const address = `/session/${id}/capture/channels`;
    if (this.#sessions.has(id)) return;
    this.#sessions.add(id);
    this.watch(address, () =>
      this.#set(this.groups[4], "mr-capture-strip", captures().map((id) => `/session/${id}`)));
  }

  #set(group, tag, addresses) {
    keep(group.lastChild, addresses, (address) => {
      const strip = h(tag, { subject: address, class: "strip" });
      this.sight.observe(strip);
      return strip;
    });
    group.hidden = addresses.length === 0;
  }
}

customElements.define("mr-mixer", Mixer);
subject({ id: "mixer", title: "Mixer", icon: "mixer", tag: "mr-mixer", order: 10 });
