// The strip of a capture: what the programs of a session receive, such as what a guest on the telephone hears.

import { h, keep, PageElement } from "../core/element.js";
import { model } from "../core/model.js";
import { router } from "../core/router.js";
import { Strip } from "./strip.js";
import "./chain.js";
import "../core/row.js";

class CaptureStrip extends Strip {
  build() {
    const id = this.subject.split("/").at(-1);
    this.state = this.lamp(() => [h("mr-fact", { address: `${this.subject}/capture/why`, label: "Now" })]);
    this.parts({ kind: "hears", lamp: this.state, meter: `/meter/capture/${id}`, level: false });
  }

  connect() {
    this.watchName();
    this.watch(`${this.subject}/capture/why`, (why) => {
      const isHeard = String(why).startsWith("contains");
      this.light(this.state, isHeard ? "heard" : "silent", isHeard ? "hears" : "silent");
    });
  }

  open() {
    this.openSheet(`What ${this.name.textContent} hears`, h("mr-capture", { session: this.subject.split("/").at(-1) }));
  }
}

class Capture extends PageElement {
  get #address() {
    return `/session/${this.getAttribute("session")}/capture`;
  }

  build() {
    const session = this.getAttribute("session");
    this.rows = h("div", { class: "rows" });
    this.append(
      h("mr-fact", { address: `${this.#address}/why`, label: "Now" }),
      h("mr-switch", { address: `${this.#address}/route`, label: "The route's input", name: `${session} hears its route's input` }),
      this.rows, h("mr-chain", { subject: this.#address }));
  }

  connect() {
    const session = this.getAttribute("session");
    this.subscribe(`${this.#address}/{session,input}/*/{on,fader}`);
    this.until(model.watch(() => keep(this.rows,
      [...model.sessions.filter((id) => id !== session).map((id) => `session/${id}`), ...model.inputs.map((id) => `input/${id}`)],
      (source) => {
        const id = source.split("/")[1];
        return h("mr-row", { address: `${this.#address}/${source}`, title: id, name: `${id} to ${session}` });
      })));
  }
}

/** The sessions that have a capture. */
export function captures() {
  return model.sessions.filter((id) => router.value(`/session/${id}/capture/channels`, 0) > 0);
}

customElements.define("mr-capture-strip", CaptureStrip);
customElements.define("mr-capture", Capture);
