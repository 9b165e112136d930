// What a sheet tells of one scene: what its recall would change and what it would miss, with what can be done with it.

import { clean, h, PageElement } from "../core/element.js";
import { preview } from "../core/foresight.js";
import { router } from "../core/router.js";
import "../core/button.js";
import "./differences.js";

/** <mr-scene preset="act-one">: its preview, and what it would miss. */
class Scene extends PageElement {
  build() {
    const preset = this.getAttribute("preset");
    const set = h("mr-button", { address: "/preset/standby", set: true, label: "Put on standby", name: `Put ${preset} on standby` });
    set.values = () => [preset];
    this.changes = h("mr-differences", {});
    this.lacks = h("ul", {});
    this.append(
      h("div", { class: "buttons" }, h("mr-button", { address: `/preset/${preset}/recall`, label: "Recall now", name: `Recall ${preset} now` }), set),
      h("h3", {}, "A recall would change"), this.changes, h("h3", {}, "It would miss"), this.lacks);
  }

  async connect() {
    const preset = this.getAttribute("preset");
    this.changes.fail("…");
    try {
      const [rows, lacks] = await Promise.all([preview(preset), router.list(`/preset/${preset}/check`)]);
      this.changes.show(rows, "Nothing: all is as the scene has it.");
      this.lacks.replaceChildren(...lacks.map(([address, problem]) =>
        h("li", { class: "warm" }, h("bdi", {}, `${clean(address)}: ${clean(problem)}`))));
      if (lacks.length === 0) this.lacks.append(h("li", { class: "quiet" }, "Nothing."));
    } catch ({ message }) {
      this.changes.fail(message);
      this.lacks.replaceChildren(h("li", {}, "Not known."));
    }
  }
}

/** <mr-store>: the present settings as a new scene, or into the scene in force. */
class Store extends PageElement {
  build() {
    const field = (label, pattern) => h("input", { type: "text", "aria-label": label, placeholder: label, maxlength: 64, pattern, autocomplete: "off" });
    this.preset = field("Id, such as act-two", "[a-z0-9_\\-]+");
    this.title_ = field("Title");
    this.store = h("mr-button", { address: "/preset/store", label: "Store as a new scene", ondone: () => this.#tell("Stored.") });
    this.store.values = () => [this.preset.value.trim(), ...(this.title_.value.trim() ? [this.title_.value.trim()] : [])];
    this.update = h("mr-button", { address: "/preset/update", label: "Update the scene in force", ondone: () => this.#tell("Updated. The version before is kept.") });
    this.update.values = () => [router.value("/preset/current", "")];
    for (const button of [this.store, this.update]) button.addEventListener("refused", (event) => this.#tell(event.detail));
    this.answer = h("p", { role: "status" }, "");
    this.append(this.preset, this.title_, h("div", { class: "buttons" }, this.store, this.update), this.answer);
  }

  #tell(sentence) {
    this.answer.textContent = clean(sentence);
  }
}

customElements.define("mr-scene", Scene);
customElements.define("mr-store", Store);
