// The strip of a session.

import { h } from "../core/element.js";
import { router } from "../core/router.js";
import { Strip } from "./strip.js";
import "./streams.js";

/** The lamp: what the router says of the session, in one word. */
function stateOf(address) {
  const value = (leaf, otherwise) => router.value(`${address}/${leaf}`, otherwise);
  if (value("interrupted") === 1) return "interrupted";
  if (value("active") === 0) return value("activate") === "manual" ? "off air" : "waiting";
  if (!String(value("why", "")).startsWith("heard")) return "silent";
  return value("ducked") === 1 ? "ducked" : "heard";
}

class SessionStrip extends Strip {
  build() {
    const address = this.subject;
    const id = address.split("/").at(-1);
    this.state = this.lamp(() => [
      h("mr-fact", { address: `${address}/why`, label: "Now" }), h("mr-fact", { address: `${address}/causes`, label: "Causes" }),
    ]);
    this.duck = h("span", { class: "duck" });
    this.parts({
      kind: "", lamp: this.state,
      first: h("mr-switch", { class: "air", address: `${address}/active`, label: "On air", name: `${id} on air` }),
      meter: `/meter${address}`,
      last: this.soloAndMute(),
    });
    this.level.after(this.duck);
  }

  connect() {
    const address = this.subject;
    this.watchName();
    this.watch(`${address}/category`, (category) => (this.kind.textContent = category));
    for (const leaf of ["interrupted", "active", "activate", "why", "ducked"]) {
      this.watch(`${address}/${leaf}`, () => {
        const state = stateOf(address);
        this.light(this.state, state, state);
      });
    }
    this.watch(`${address}/duck/now`, (level) => (this.duck.textContent = level < -0.05 ? `duck ${level.toFixed(1)}` : ""));
  }

  open() {
    this.openSheet(this.name.textContent, h("mr-streams", { session: this.subject.split("/").at(-1) }));
  }
}

customElements.define("mr-session-strip", SessionStrip);
