// A number that people set: <mr-number address="/preset/fade" label="Fade" unit="s" min="0" max="120" step="0.5">. It shows what the router
// says, while it is typed in what is typed, and then what was asked for until the router has answered.

import { h, PageElement } from "./element.js";
import { router } from "./router.js";

/** The answer of the router is awaited so long, in milliseconds. */
const ANSWER = 400;

class NumberSetting extends PageElement {
  #isTyped = false;
  /** What was asked for and is not answered yet; null for nothing. */
  #asked = null;
  #timer = null;

  build() {
    const [label, unit, min, max, step] = ["label", "unit", "min", "max", "step"].map((key) => this.getAttribute(key));
    this.step = Number(step);
    this.input = h("input", {
      type: "number", min, max, step: "any", inputmode: "decimal", "aria-label": unit ? `${label} in ${unit}` : label,
      oninput: () => (this.#isTyped = true), onchange: () => this.#set(this.input.valueAsNumber), onblur: () => this.#endTyping(),
    });
    const by = (sign, word, text) =>
      h("button", { type: "button", "aria-label": `${word} ${label}`, onclick: () => this.#set(this.#value + sign * this.step) }, text);
    this.append(h("span", { class: "label" }, label), by(-1, "Less", "−"), this.input, h("span", { class: "unit" }, unit), by(1, "More", "+"));
  }

  /** From which the next step counts; undefined while it is unknown. */
  get #value() {
    return this.#asked ?? router.value(this.getAttribute("address"));
  }

  connect() {
    this.watch(this.getAttribute("address"), (value) => {
      if (Math.abs(value - this.#asked) < 0.0005) this.#asked = null;
      this.#show();
    });
    this.watchRight(() => {
      for (const control of this.querySelectorAll("button, input")) control.disabled = !router.mayControl;
    });
  }

  #show() {
    if (!this.#isTyped) this.input.value = this.#value === undefined ? "" : Math.round(this.#value * 1000) / 1000;
  }

  #endTyping() {
    this.#isTyped = false;
    this.#show();
  }

  #set(value) {
    if (Number.isFinite(value)) {
      const inside = Math.min(Number(this.input.max), Math.max(Number(this.input.min), value));
      this.#asked = Math.round(inside * 1000) / 1000;
      router.send(this.getAttribute("address"), this.#asked);
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => {
        this.#asked = null;
        this.#show();
      }, ANSWER);
    }
    this.#endTyping();
  }
}

customElements.define("mr-number", NumberSetting);
