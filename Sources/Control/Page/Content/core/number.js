// A number that people set: <mr-number address="/preset/fade" label="Fade" unit="s" min="0" max="120" step="0.5">. It shows what the router
// says, and while it is typed in, what is typed.

import { clean, h, PageElement } from "./element.js";
import { router } from "./router.js";

class NumberSetting extends PageElement {
  build() {
    const [label, unit, min, max, step] = ["label", "unit", "min", "max", "step"].map((key) => this.getAttribute(key));
    this.step = Number(step);
    this.input = h("input", {
      type: "number", min, max, step: "any", inputmode: "decimal", "aria-label": unit ? `${label} in ${unit}` : label,
      onchange: () => this.#set(this.input.valueAsNumber), onblur: () => this.#show(),
    });
    const by = (sign, word, text) =>
      h("button", { type: "button", "aria-label": `${word} ${label}`, onclick: () => this.#set(this.#value + sign * this.step) }, text);
    this.append(h("span", { class: "label" }, label), by(-1, "Less", "−"), this.input, h("span", { class: "unit" }, unit), by(1, "More", "+"));
  }

  get #value() {
    return router.value(this.getAttribute("address"), 0);
  }

  connect() {
    this.watch(this.getAttribute("address"), () => this.#show());
    this.watchRight(() => {
      for (const control of this.querySelectorAll("button, input")) control.disabled = !router.mayControl;
    });
  }

  #show() {
    if (document.activeElement !== this.input) this.input.value = clean(Math.round(this.#value * 1000) / 1000);
  }

  #set(value) {
    if (Number.isFinite(value)) {
      const inside = Math.min(Number(this.input.max), Math.max(Number(this.input.min), value));
      router.send(this.getAttribute("address"), Math.round(inside * 1000) / 1000);
    }
    this.input.value = clean(Math.round(this.#value * 1000) / 1000);
  }
}

customElements.define("mr-number", NumberSetting);
