// What all strips of the mixer have: name and colour, a lamp, switches, fader and meter, level, mute.

import { clean, colour, h, PageElement, setName } from "../core/element.js";
import { openSheet } from "../core/sheet.js";
import "../core/fact.js";
import "../core/fader.js";
import "../core/meter.js";
import "../core/switch.js";

export class Strip extends PageElement {
  get subject() {
    return this.getAttribute("subject");
  }

  /** The parts, from top to bottom. A class of strips leaves out what it lacks. */
  parts({ kind, lamp, first, meter, level = true, last }) {
    const id = this.subject.split("/").at(-1);
    this.name = h("bdi", {}, id);
    this.head = h("button", { type: "button", class: "head", onclick: () => this.open() }, this.name, (this.kind = h("span", { class: "kind" }, kind)));
    this.level = h("span", { class: "level", "aria-hidden": "true" });
    const fader = level
      ? h("mr-fader", { address: this.subject, name: `Level of ${id}`, onlevel: (event) => (this.level.textContent = event.detail) })
      : null;
    this.append(this.head, lamp, first ?? h("span", { class: "room" }),
      h("div", { class: "travel-and-meter" }, fader, h("mr-meter", { address: meter, name: id })),
      level ? this.level : h("span", { class: "level" }), last);
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", id);
  }

  watchName() {
    const id = this.subject.split("/").at(-1);
    this.watch(`${this.subject}/name`, (name) => {
      setName(this.name, clean(name).trim() ? name : id);
      this.setAttribute("aria-label", this.name.textContent);
    });
    this.watch(`${this.subject}/color`, (text) => this.style.setProperty("--colour", colour(text) || "transparent"));
  }

  /** A lamp that tells its reason when it is touched. */
  lamp(sentences) {
    const lamp = h("button", { type: "button", class: "lamp", onclick: () => this.openSheet(`Why: ${this.name.textContent}`, ...sentences()) });
    lamp.setAttribute("aria-label", `State of ${this.subject.split("/").at(-1)}: not known. Why?`);
    lamp.append(h("span", { class: "light", "aria-hidden": "true" }), h("span", {}));
    return lamp;
  }

  light(lamp, state, word) {
    if (lamp.dataset.state === state && lamp.lastChild.textContent === word) return;
    lamp.dataset.state = state;
    lamp.lastChild.textContent = word;
    lamp.setAttribute("aria-label", `${this.name.textContent}: ${word}. Why?`);
  }

  mute() {
    return h("mr-switch", { class: "mute", address: `${this.subject}/mute`, label: "Mute", name: `Mute ${this.subject.split("/").at(-1)}` });
  }

  /** Solo and mute. The solo is there while the router has a monitor output. */
  soloAndMute() {
    const id = this.subject.split("/").at(-1);
    return h("div", { class: "last" },
      h("mr-switch", { class: "solo", address: `${this.subject}/solo`, label: "Solo", name: `Solo ${id}` }), this.mute());
  }

  open() {}

  /** Opens a sheet, which closes when the strip goes. */
  openSheet(title, ...content) {
    this.sheet = openSheet(title, ...content);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.sheet?.close();
  }
}
