// A source of interruptions: <mr-call source="phone">, with what it does now in words.

import { h, PageElement, setName } from "../core/element.js";
import { router } from "../core/router.js";
import "../core/switch.js";

class Call extends PageElement {
  build() {
    const source = this.getAttribute("source");
    this.name = h("bdi", { class: "name" });
    setName(this.name, source);
    this.state = h("span", { class: "state", role: "status" });
    this.append(h("div", { class: "head" }, this.name, this.state),
      h("mr-switch", { class: "ring", address: `/interruption/${source}/ringing`, label: "Ringing", name: `${source} is ringing` }),
      h("mr-switch", { class: "mute", address: `/interruption/${source}/on`, label: "On a call", name: `${source} is on a call` }));
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", source);
  }

  connect() {
    const address = `/interruption/${this.getAttribute("source")}`;
    const show = () => {
      const [isOn, isRinging] = [router.value(`${address}/on`) === 1, router.value(`${address}/ringing`) === 1];
      this.dataset.state = isOn ? "on" : isRinging ? "ringing" : "off";
      this.state.textContent = isOn ? "on: it interrupts" : isRinging ? "rings" : "quiet";
    };
    for (const leaf of ["on", "ringing"]) this.watch(`${address}/${leaf}`, show);
    show();
  }
}

customElements.define("mr-call", Call);
