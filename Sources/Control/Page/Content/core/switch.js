// A switch: <mr-switch address="/session/show/mute" name="Mute Show" label="Mute">. It shows what the router says, and asks for the other.

import { clean, PageElement, setName } from "./element.js";
import { router } from "./router.js";

class Switch extends PageElement {
  #isOn = false;

  build() {
    this.setAttribute("role", "switch");
    this.tabIndex = 0;
    this.append(document.createElement("bdi"));
    this.addEventListener("click", () => this.#toggle());
    this.addEventListener("keydown", (event) => {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      if (!event.repeat) this.#toggle();
    });
  }

  connect() {
    setName(this.firstChild, this.getAttribute("label"));
    this.setAttribute("aria-label", clean(this.getAttribute("name")));
    this.setAttribute("aria-checked", "false");
    this.watch(this.getAttribute("address"), (value) => {
      this.#isOn = value === 1;
      this.setAttribute("aria-checked", String(this.#isOn));
    });
    this.watchRight(() => this.#enable());
  }

  static observedAttributes = ["locked"];

  attributeChangedCallback() {
    this.#enable();
  }

  get #isFree() {
    return router.mayControl && !this.hasAttribute("locked");
  }

  #enable() {
    this.setAttribute("aria-disabled", String(!this.#isFree));
  }

  #toggle() {
    if (this.#isFree) router.send(this.getAttribute("address"), !this.#isOn);
  }
}

customElements.define("mr-switch", Switch);
