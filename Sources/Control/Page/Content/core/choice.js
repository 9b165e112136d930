// A choice of words: <mr-choice address="/player/walkin/queue/repeat" label="Repeat" name="Repeat of walkin">, with its `options`, an object of
// words and their titles. It shows what the router says.

import { clean, h, PageElement } from "./element.js";
import { router } from "./router.js";

class Choice extends PageElement {
  /** Titles by the words of the router. */
  options = {};

  build() {
    this.select = h("select", { "aria-label": clean(this.getAttribute("name") ?? this.getAttribute("label")), onchange: () => this.#choose() },
      ...Object.entries(this.options).map(([value, title]) => h("option", { value }, title)));
    this.append(h("span", { class: "label", "aria-hidden": "true" }, this.getAttribute("label")), this.select);
  }

  connect() {
    this.watch(this.getAttribute("address"), (word) => (this.select.value = word));
    this.watchRight(() => (this.select.disabled = !router.mayControl));
  }

  #choose() {
    const address = this.getAttribute("address");
    router.send(address, this.select.value);
    this.select.value = router.value(address, "");
  }
}

customElements.define("mr-choice", Choice);
