// One level in a list: <mr-row address="/session/show/stream/band/to/usb" title="usb" name="band to usb">, with its switch and a flat fader.
// With `guard="sentence"` the row is locked, and says why.

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

  /** Locks the switch with a reason, or opens it with none; what else is to be said, such as that a device is away. */
  say(guard, note = "") {
    this.classList.toggle("guarded", guard !== "");
    this.onSwitch.toggleAttribute("locked", guard !== "");
    this.onSwitch.setAttribute("aria-disabled", String(guard !== ""));
    this.note.textContent = clean(guard || note);
  }
}

customElements.define("mr-row", Row);
