// The strip of a capture: what the programs of a session receive, such as what a guest on the telephone hears.

import { h, PageElement } from "../core/element.js";
import { model } from "../core/model.js";
import { router } from "../core/router.js";
import { openSheet } from "../core/sheet.js";
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
    openSheet(`What ${this.name.textContent} hears`, h("mr-capture", { session: this.subject.split("/").at(-1) }));
  }
}

class Capture extends PageElement {
  connect() {
    const session = this.getAttribute("session");
    const address = `/session/${session}/capture`;
    this.subscribe(`${address}/{session,input}/*/{on,fader}`);
    this.until(model.watch(() => {
      const row = (kind, id) => h("mr-row", { address: `${address}/${kind}/${id}`, title: id, name: `${id} to ${session}` });
      this.replaceChildren(
        h("mr-fact", { address: `${address}/why`, label: "Now" }),
        h("mr-switch", { address: `${address}/route`, label: "The route's input", name: `${session} hears its route's input` }),
        ...model.sessions.filter((id) => id !== session).map((id) => row("session", id)), ...model.inputs.map((id) => row("input", id)),
        h("mr-chain", { subject: address }));
    }));
  }
}

/** The sessions that have a capture. */
export function captures() {
  return model.sessions.filter((id) => router.value(`/session/${id}/capture/channels`, 0) > 0);
}

customElements.define("mr-capture-strip", CaptureStrip);
customElements.define("mr-capture", Capture);
