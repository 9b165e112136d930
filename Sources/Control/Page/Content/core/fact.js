// A value to read: <mr-fact address="/output/usb/latency" label="Latency" unit="ms">. Units: s (as ms), dB, none.

import { clean, h, PageElement } from "./element.js";
import { levelText } from "./level.js";

const words = {
  ms: (value) => `${(value * 1000).toFixed(1)} ms`,
  dB: levelText,
  yes: (value) => (value === 1 ? "yes" : "no"),
};

class Fact extends PageElement {
  build() {
    this.text = h("bdi", {});
    this.append(h("span", { class: "label" }, this.getAttribute("label")), this.text);
    this.hidden = true;
  }

  connect() {
    const word = words[this.getAttribute("unit")] ?? clean;
    this.watch(this.getAttribute("address"), (value, all) => {
      const text = all.length === 1 ? word(value) : all.map(clean).join(", ");
      // What says nothing takes no room.
      this.hidden = text === "" || text === "none";
      this.text.textContent = text;
    });
  }
}

customElements.define("mr-fact", Fact);
