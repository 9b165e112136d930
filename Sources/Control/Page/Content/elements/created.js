// A new player or recorder: <mr-created address="/player/create" label="New player">, with an id and one of `choices`.

import { clean, h, PageElement } from "../core/element.js";
import { model } from "../core/model.js";
import "../core/button.js";

class Created extends PageElement {
  /** The choices: words of the router. */
  choices = () => [];

  build() {
    const label = this.getAttribute("label");
    this.id_ = h("input", { type: "text", "aria-label": `${label}: id`, placeholder: "Id, such as walkin", maxlength: 64, autocomplete: "off" });
    this.of = h("select", { "aria-label": `${label}: ${this.getAttribute("what")}` });
    const button = h("mr-button", { address: this.getAttribute("address"), label, ondone: () => (this.id_.value = "") });
    button.values = () => [this.id_.value.trim(), this.of.value];
    this.append(this.id_, this.of, button);
  }

  connect() {
    this.until(model.watch(() => {
      const [words, chosen] = [this.choices(), this.of.value];
      this.of.replaceChildren(...words.map((word) => h("option", { value: word }, clean(word))));
      if (words.includes(chosen)) this.of.value = chosen;
    }));
  }
}

customElements.define("mr-created", Created);
