// One level in a list: <mr-row address="/session/show/stream/band/to/usb" title="usb" name="band to usb">, with its switch and a flat fader.
// `follow` lets it say why it is locked. `first="mute"` gives it a mute switch instead.

import { clean, h, PageElement, setName } from "./element.js";
import "./fader.js";
import "./switch.js";

class Row extends PageElement {
  build() {
    const [address, title, name] = ["address", "title", "name"].map((key) => this.getAttribute(key));
    // The browser would show the title as a hint.
    this.removeAttribute("title");
    this.title_ = h("bdi", { class: "name" });
    setName(this.title_, title);
    this.note = h("span", { class: "note" });
    const first = this.getAttribute("first") ?? "on";
    this.onSwitch = h("mr-switch", {
      address: `${address}/${first}`, label: first === "mute" ? "Mute" : "On", name: `${first === "mute" ? "Mute" : "On:"} ${name}`, class: first,
    });
    this.level = h("span", { class: "level" });
    const fader = h("mr-fader", { address, name: `Level of ${name}`, flat: true, onlevel: (event) => (this.level.textContent = event.detail) });
    this.append(h("span", { class: "head" }, this.title_, this.note, this.level), this.onSwitch, fader);
  }

  #addresses = [];
  #way = () => ({ lock: "", note: "" });

  /** Lets the row say what `way()` tells, and again whenever one of the addresses changes: why it is locked, and what else is to be known. */
  follow(addresses, way) {
    [this.#addresses, this.#way] = [addresses, way];
  }

  connect() {
    const say = () => {
      const { lock, note } = this.#way();
      this.classList.toggle("locked", lock !== "");
      this.onSwitch.toggleAttribute("locked", lock !== "");
      this.note.textContent = clean(lock || note);
    };
    for (const address of this.#addresses) this.watch(address, say);
    say();
  }
}

customElements.define("mr-row", Row);
