// What stands above the mixer while there is a monitor output, a talkback or a bypass of effects: the end of all solos, the button of each
// talkback, and the end of the bypass.

import { clean, h, keep, PageElement, setName } from "../core/element.js";
import { model } from "../core/model.js";
import { router } from "../core/router.js";
import "../core/button.js";
import "../core/switch.js";

class Monitoring extends PageElement {
  #watched = new Set();

  build() {
    this.clear = h("mr-button", { address: "/solo/clear", label: "Clear solos" });
    // A bypass of all effects stays in sight until it ends.
    this.bypass = h("mr-switch", { address: "/effects/bypass", label: "Effects bypassed", name: "Bypass all effects", hidden: true });
    this.talks = h("div", { class: "talks" });
    this.append(this.clear, this.bypass, this.talks);
  }

  connect() {
    this.#watched.clear();
    this.subscribe("/solo/on");
    this.subscribe("/talkback/*/on");
    this.subscribe("/session/*/talkback/to");
    this.subscribe("/effects/bypass");
    this.watch("/effects/bypass", () => this.#fill());
    this.watch("/solo/on", (isOn) => this.clear.classList.toggle("on", isOn === 1));
    this.until(model.watch(() => {
      for (const id of model.outputs) this.#follow(`/output/${id}/monitor/on`);
      for (const id of model.sessions) this.#follow(`/session/${id}/talkback/to`);
      this.#fill();
    }));
  }

  #follow(address) {
    if (this.#watched.has(address)) return;
    this.#watched.add(address);
    this.watch(address, () => this.#fill());
  }

  #fill() {
    const hasMonitor = model.outputs.some((id) => router.value(`/output/${id}/monitor/on`) === 1);
    const talkbacks = model.sessions.filter((id) => router.value(`/session/${id}/talkback/to`, "none") !== "none");
    keep(this.talks, talkbacks, (id) => h("mr-talk", { session: id }));
    this.clear.hidden = !hasMonitor;
    this.bypass.hidden = router.value("/effects/bypass") !== 1;
    this.hidden = !hasMonitor && talkbacks.length === 0 && this.bypass.hidden;
    this.parentElement?.classList.toggle("solos", hasMonitor);
  }
}

/** The button of a talkback: it sends presses and releases, and the router says what they mean. */
class Talk extends PageElement {
  /** What presses the button: the ids of fingers, and `key`. */
  #pressing = new Set();
  /** Whether this page has opened it. */
  #isOwn = false;

  get #address() {
    return `/talkback/${this.getAttribute("session")}/on`;
  }

  build() {
    this.setAttribute("role", "button");
    this.tabIndex = 0;
    this.append(h("bdi", {}));
    this.addEventListener("pointerdown", (event) => {
      if (event.button === 0) this.#press(event.pointerId);
    });
    for (const type of ["pointerup", "pointerleave", "pointercancel"]) this.addEventListener(type, (event) => this.#lift(event.pointerId));
    // The focus leaves with a finger on another control, too: that ends only the key.
    this.addEventListener("blur", () => this.#lift("key"));
    this.addEventListener("contextmenu", (event) => event.preventDefault());
    this.addEventListener("keydown", (event) => this.#key(event, true));
    this.addEventListener("keyup", (event) => this.#key(event, false));
  }

  connect() {
    const id = this.getAttribute("session");
    setName(this.firstChild, `Talk: ${id}`);
    this.setAttribute("aria-label", clean(`Talk through ${id}: hold, or press briefly to latch`));
    this.setAttribute("aria-pressed", "false");
    this.watch(this.#address, (isOpen) => {
      this.setAttribute("aria-pressed", String(isOpen === 1));
      // Who opens it next may be another person.
      if (isOpen !== 1 && this.#pressing.size === 0) this.#isOwn = false;
    });
    this.watchRight(() => this.setAttribute("aria-disabled", String(!router.mayControl)));
    this.until(() => this.#leave());
  }

  /** Closes what this page has opened. The first release may only latch. */
  #leave() {
    if (!this.#isOwn || (this.#pressing.size === 0 && router.value(this.#address) !== 1)) return;
    this.#pressing.clear();
    for (let release = 0; release < 2; release++) router.send(this.#address, false);
  }

  #key(event, isDown) {
    if (event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    if (isDown) this.#press("key");
    else this.#lift("key");
  }

  #press(finger) {
    if (!router.mayControl || this.#pressing.has(finger)) return;
    this.#pressing.add(finger);
    this.#isOwn = true;
    if (this.#pressing.size === 1) router.send(this.#address, true);
  }

  #lift(finger) {
    if (this.#pressing.delete(finger) && this.#pressing.size === 0) router.send(this.#address, false);
  }
}

customElements.define("mr-monitoring", Monitoring);
customElements.define("mr-talk", Talk);
