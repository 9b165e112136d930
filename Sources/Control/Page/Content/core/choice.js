// A choice of words: <mr-choice address="/player/walkin/queue/repeat" label="Repeat" name="Repeat of walkin">, with its `options`, an object of
// words and their titles, or with other ones by `offer`. It shows what the router says.

import { clean, h, PageElement } from "./element.js";
import { router } from "./router.js";

class Choice extends PageElement {
  /** Titles by the words of the router. */
  options = {};

  build() {
    this.select = h("select", { "aria-label": clean(this.getAttribute("name") ?? this.getAttribute("label")), onchange: () => this.#choose() });
    this.offer(this.options);
    this.append(h("span", { class: "label", "aria-hidden": "true" }, this.getAttribute("label")), this.select);
  }

  /** Changes what can be chosen. */
  offer(options) {
    this.options = options;
    this.select?.replaceChildren(...Object.entries(options).map(([value, title]) => h("option", { value }, clean(title))));
    this.#show();
  }

  connect() {
    this.watch(this.getAttribute("address"), () => this.#show());
    this.watchRight(() => (this.select.disabled = !router.mayControl));
  }

  #choose() {
    const address = this.getAttribute("address");
    router.send(address, this.select.value);
    this.#show();
  }

  #show() {
    if (this.select) this.select.value = router.value(this.getAttribute("address"), "");
  }
}

customElements.define("mr-choice", Choice);
