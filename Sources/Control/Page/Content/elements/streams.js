// The streams of a session with their sends: <mr-streams session="show">.

import { h, PageElement } from "../core/element.js";
import { model } from "../core/model.js";
import { guardsOf, sayOf } from "./sends.js";
import "../core/meter.js";
import "../core/row.js";

class Streams extends PageElement {
  connect() {
    const session = this.getAttribute("session");
    this.subscribe(`/session/${session}/stream/*/{fader,mute,never,pan}`);
    this.subscribe(`/session/${session}/stream/*/to/*/{on,fader}`);
    this.subscribe("/output/*/{name,available}");
    this.subscribe(`/meter/stream/${session}/*`, 20);
    this.until(model.watch(() => this.#fill(session)));
  }

  #fill(session) {
    const cards = (model.streams.get(session) ?? []).map((stream) => {
      const address = `/session/${session}/stream/${stream}`;
      const level = h("mr-row", { address, title: stream, name: stream, first: "mute" });
      const sends = model.outputs.map((output) =>
        h("mr-row", { address: `${address}/to/${output}`, title: output, name: `${stream} to ${output}`, class: "send" }));
      return h("section", { class: "card", "aria-label": stream },
        h("div", { class: "own" }, level, h("mr-meter", { address: `/meter/stream/${session}/${stream}`, name: stream })), ...sends);
    });
    this.replaceChildren(...cards);
    for (const row of this.querySelectorAll(".send")) {
      const [, , , , stream, , output] = row.getAttribute("address").split("/");
      for (const address of guardsOf(session, stream, output)) this.watch(address, () => row.say(...sayOf(session, stream, output)));
      row.say(...sayOf(session, stream, output));
    }
  }
}

customElements.define("mr-streams", Streams);
