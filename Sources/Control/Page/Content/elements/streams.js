// The streams of a session with their sends: <mr-streams session="show">.

import { h, keep, PageElement } from "../core/element.js";
import { model } from "../core/model.js";
import { streamControls } from "./channel-controls.js";
import { addressesOf, hasSends, WAYS, way } from "./sends.js";
import "./chain.js";
import "../core/meter.js";
import "../core/row.js";

class Streams extends PageElement {
  build() {
    this.cards = h("div", { class: "cards" });
    this.append(h("mr-fact", { address: `/session/${this.getAttribute("session")}/route`, label: "Route" }), this.cards);
  }

  connect() {
    const session = this.getAttribute("session");
    this.subscribe(`/session/${session}/stream/*/{fader,mute,never,pan,width,polarity}`);
    this.subscribe(`/session/${session}/stream/*/to/*/{on,fader}`);
    for (const pattern of WAYS) this.subscribe(pattern);
    this.subscribe(`/meter/stream/${session}/*`);
    this.until(model.watch(() => this.#fill(session)));
    this.watch(`/session/${session}/category`, () => this.#fill(session));
  }

  #fill(session) {
    const streams = model.streams.get(session) ?? [];
    keep(this.cards, streams, (stream) => this.#card(session, stream));
    // The streams of most sessions go to one output, that of the session's route.
    const outputs = hasSends(session) ? model.outputs : [];
    streams.forEach((stream, index) => keep(this.cards.children[index].lastChild, outputs, (output) => this.#send(session, stream, output)));
  }

  #card(session, stream) {
    const all = `/session/${session}/stream`;
    const address = `${all}/${stream}`;
    return h("section", { class: "card", "aria-label": stream },
      h("div", { class: "own" }, h("mr-row", { address, title: stream, name: stream, first: "mute" }),
        h("mr-meter", { address: `/meter/stream/${session}/${stream}`, name: stream })),
      streamControls(session, stream), h("mr-chain", { subject: address, all: `${all}/*` }), h("div"));
  }

  #send(session, stream, output) {
    const row = h("mr-row", { address: `/session/${session}/stream/${stream}/to/${output}`, title: output, name: `${stream} to ${output}` });
    row.follow(addressesOf(session, stream, output), () => way(session, stream, output));
    return row;
  }
}

customElements.define("mr-streams", Streams);
