// The mixer: a strip for each session, output, input and capture.

import { h, PageElement } from "../core/element.js";
import { model } from "../core/model.js";
import { subject } from "../core/subjects.js";
import { captures } from "./capture-strip.js";
import "./port-strip.js";
import "./session-strip.js";

/** How often meters are wanted, a second. */
const METERS = 20;

class Mixer extends PageElement {
  #sessions = new Set();

  build() {
    this.groups = ["Sessions", "Outputs", "Inputs", "Captures"].map((title) =>
      h("section", { class: "group", "aria-label": title }, h("h2", {}, title), h("div", { class: "strips" })));
    this.desk = h("div", { class: "desk", tabindex: 0, role: "region", "aria-label": "Mixer" }, ...this.groups);
    this.append(this.desk);
  }

  connect() {
    this.subscribe("/session/*/{name,color,category,active,activate,fader,max,mute,interrupted,ducked,why,causes}");
    this.subscribe("/session/*/duck/now");
    this.subscribe("/session/*/capture/{why,channels,route}");
    this.subscribe("/output/*");
    this.subscribe("/input/*");
    this.subscribe("/meter/{session,output,input,capture}/*", METERS);
    this.until(model.watch(() => this.#fill()));
  }

  #fill() {
    const [sessions, outputs, inputs, guests] = this.groups;
    this.#set(sessions, "mr-session-strip", model.sessions.map((id) => `/session/${id}`));
    this.#set(outputs, "mr-port-strip", model.outputs.map((id) => `/output/${id}`));
    this.#set(inputs, "mr-port-strip", model.inputs.map((id) => `/input/${id}`));
    this.#set(guests, "mr-capture-strip", captures().map((id) => `/session/${id}`));
    for (const id of model.sessions) this.#watchCapture(id);
  }

  /** A session may get a capture later. */
  #watchCapture(id) {
    const address = `/session/${id}/capture/channels`;
    if (this.#sessions.has(id)) return;
    this.#sessions.add(id);
    this.watch(address, () =>
      this.#set(this.groups[3], "mr-capture-strip", captures().map((id) => `/session/${id}`)));
  }

  /** Strips that stay are not touched, so that a finger on one of them never loses it. */
  #set(group, tag, addresses) {
    const holder = group.lastChild;
    const present = new Map([...holder.children].map((strip) => [strip.getAttribute("subject"), strip]));
    for (const [address, strip] of present) if (!addresses.includes(address)) strip.remove();
    addresses.forEach((address, index) => {
      const strip = present.get(address) ?? h(tag, { subject: address, class: "strip" });
      if (holder.children[index] !== strip) holder.insertBefore(strip, holder.children[index] ?? null);
    });
    group.hidden = addresses.length === 0;
  }
}

customElements.define("mr-mixer", Mixer);
subject({ id: "mixer", title: "Mixer", icon: "mixer", tag: "mr-mixer", order: 10 });
