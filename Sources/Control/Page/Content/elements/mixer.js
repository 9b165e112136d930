// The mixer: a strip for each group, session, output, input and capture.

import { h, PageElement } from "../core/element.js";
import { model } from "../core/model.js";
import { router } from "../core/router.js";
import { subject } from "../core/subjects.js";
import { captures } from "./capture-strip.js";
import "./group-strip.js";
import "./monitoring.js";
import "./port-strip.js";
import "./session-strip.js";

/** How often meters are wanted, a second. */
const METERS = 20;
/** So far beside the glass, in pixels, a strip already gets its meter. */
const NEAR = 220;
/** How long the strips must rest before other meters are asked for, in milliseconds. */
const REST = 100;
/** The router takes patterns of at most 1,024 bytes. */
const LONGEST = 1_000;

class Mixer extends PageElement {
  #sessions = new Set();
  /** The strips in sight, and the subscriptions to their meters, each with what ends it. */
  #seen = new Set();
  #meters = new Map();
  #resting = null;

  build() {
    this.groups = ["Groups", "Sessions", "Outputs", "Inputs", "Captures"].map((title) =>
      h("section", { class: "group", "aria-label": title }, h("h2", {}, title), h("div", { class: "strips" })));
    this.desk = h("div", { class: "desk", tabindex: 0, role: "region", "aria-label": "Mixer" }, ...this.groups);
    this.monitoring = h("mr-monitoring", { hidden: true });
    this.append(this.monitoring, this.desk);
  }

  connect() {
    this.subscribe("/group/*");
    this.subscribe("/session/*/{name,color,category,active,activate,fader,max,mute,solo,interrupted,ducked,why,causes}");
    this.subscribe("/session/*/duck/now");
    this.subscribe("/session/*/capture/{why,channels,route}");
    this.subscribe("/output/*");
    this.subscribe("/input/*");
    this.sight = new IntersectionObserver((entries) => this.#look(entries), { root: this.desk, rootMargin: `0px ${NEAR}px` });
    for (const strip of this.querySelectorAll(".strip")) this.sight.observe(strip);
    this.until(() => this.#lookAway());
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

  // Meters are most of what comes while nothing moves, so only those in sight are asked for.
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
    const wanted = [...kinds].map(([kind, ids]) => {
      const pattern = `/meter/${kind}/{${ids.sort()}}`;
      return pattern.length > LONGEST ? `/meter/${kind}/*` : pattern;
    });
    const before = this.#meters;
    this.#meters = new Map(wanted.map((pattern) => [pattern, before.get(pattern) ?? router.subscribe(pattern, METERS)]));
    for (const [pattern, end] of before) if (!this.#meters.has(pattern)) end();
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

  /** Strips that stay are not touched, so that a finger on one of them never loses it. */
  #set(group, tag, addresses) {
    const holder = group.lastChild;
    const present = new Map([...holder.children].map((strip) => [strip.getAttribute("subject"), strip]));
    for (const [address, strip] of present) {
      if (addresses.includes(address)) continue;
      this.sight.unobserve(strip);
      this.#seen.delete(strip);
      strip.remove();
    }
    addresses.forEach((address, index) => {
      const strip = present.get(address) ?? h(tag, { subject: address, class: "strip" });
      if (holder.children[index] !== strip) holder.insertBefore(strip, holder.children[index] ?? null);
      if (!present.has(address)) this.sight.observe(strip);
    });
    group.hidden = addresses.length === 0;
  }
}

customElements.define("mr-mixer", Mixer);
subject({ id: "mixer", title: "Mixer", icon: "mixer", tag: "mr-mixer", order: 10 });
