// A choice among words: <mr-choice address="/player/tape/queue/repeat" label="Repeat" name="Repeat of tape" options="none one all">. It shows
// what the router says, and asks for another.

import { clean, h, PageElement } from "./element.js";
import { router } from "./router.js";

class Choice extends PageElement {
  build() {
    this.select = h("select", { "aria-label": clean(this.getAttribute("name")) },
      ...this.getAttribute("options").split(" ").map((option) => h("option", { value: option }, option)));
    this.append(h("span", { class: "label" }, this.getAttribute("label")), this.select);
    this.select.addEventListener("change", () => {
      const chosen = this.select.value;
      this.#show();
      router.send(this.getAttribute("address"), chosen);
    });
  }

  connect() {
    this.watch(this.getAttribute("address"), () => this.#show());
    this.watchRight(() => (this.select.disabled = !router.mayControl));
  }

  #show() {
    this.select.value = router.value(this.getAttribute("address"), "");
  }
}

customElements.define("mr-choice", Choice);
