// The place in the item that plays: <mr-seek player="tape">. While a finger is on it, it shows the finger; the place is sent when the finger leaves.

import { clean, h, PageElement } from "../core/element.js";
import { router } from "../core/router.js";
import { clock } from "../core/time.js";

/** When the finger has left, the router's place is shown after so many milliseconds, whatever it has said. */
const ANSWER = 400;

class Seek extends PageElement {
  #isHeld = false;

  get #address() {
    return `/player/${this.getAttribute("player")}`;
  }

  build() {
    this.bar = h("input", { type: "range", min: 0, max: 0, step: "any", value: 0, "aria-label": `Place in ${clean(this.getAttribute("player"))}` });
    this.place = h("span", {});
    this.length = h("span", {});
    this.append(this.bar, h("span", { class: "times" }, this.place, this.length));
    this.bar.addEventListener("input", () => {
      this.#isHeld = true;
      this.#say(this.bar.valueAsNumber);
    });
    this.bar.addEventListener("change", () => {
      this.#isHeld = false;
      router.send(`${this.#address}/position`, this.bar.valueAsNumber);
      setTimeout(() => this.#show(router.value(`${this.#address}/position`, 0)), ANSWER);
    });
    for (const type of ["blur", "pointercancel"]) this.bar.addEventListener(type, () => (this.#isHeld = false));
    // By keyboard five seconds a step; the browser's own step would be too small to see.
    this.bar.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 5, ArrowUp: 5, ArrowLeft: -5, ArrowDown: -5, PageUp: 30, PageDown: -30 }[event.key];
      if (step === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      if (router.mayControl) router.send(`${this.#address}/position`, Math.max(0, router.value(`${this.#address}/position`, 0) + step));
    });
  }

  connect() {
    this.watch(`${this.#address}/duration`, (duration) => {
      this.bar.max = duration;
      this.length.textContent = duration > 0 ? clock(duration) : "";
      this.#enable();
    });
    this.watch(`${this.#address}/position`, (position) => this.#show(position));
    this.watchRight(() => {
      if (!router.mayControl) this.#isHeld = false;
      this.#enable();
    });
  }

  #show(position) {
    if (this.#isHeld) return;
    this.bar.value = position;
    this.#say(position);
  }

  #enable() {
    this.bar.disabled = !router.mayControl || !(router.value(`${this.#address}/duration`, 0) > 0);
  }

  #say(position) {
    const text = clock(position);
    if (this.place.textContent === text) return;
    this.place.textContent = text;
    this.bar.setAttribute("aria-valuetext", text);
  }
}

customElements.define("mr-seek", Seek);
