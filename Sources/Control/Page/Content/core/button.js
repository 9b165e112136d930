// A button that fires a command of the router: <mr-button address="/preset/undo" label="Undo">. A refusal is shown by the frame, and told to
// the owner by the event `refused` (detail: the router's sentence); `done` tells that the command was carried out.
//
// With the attribute `hold` a tap does nothing: the button must be held for half a second, and shows how much of that has passed. With `set`
// it sets a value instead of firing a command.

import { clean, h, PageElement, setName } from "./element.js";
import { router } from "./router.js";

/** So long a button with `hold` must be held, in milliseconds; style.css has the same. */
const HOLD = 500;

class Button extends PageElement {
  /** The arguments of the message. */
  values = () => [];
  #timer = null;

  build() {
    this.setAttribute("role", "button");
    this.tabIndex = 0;
    this.label = h("bdi", { class: "label" });
    this.prepend(this.label);
    this.say(this.getAttribute("label"), this.getAttribute("name"));
    if (this.hasAttribute("hold")) this.#holdable();
    else this.addEventListener("click", () => this.#fire(this.values()));
    this.addEventListener("keydown", (event) => {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      if (event.repeat) return;
      if (this.hasAttribute("hold")) this.#hold();
      else this.#fire(this.values());
    });
  }

  connect() {
    this.watchRight(() => this.#enable());
    this.until(() => this.#letGo());
  }

  /** Changes the words on the button, and its name for screen readers. */
  say(label, name) {
    setName(this.label, label);
    const how = this.hasAttribute("hold") ? " (hold for half a second)" : "";
    this.setAttribute("aria-label", clean(name || label) + how);
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

  // MARK: Holding

  #holdable() {
    this.addEventListener("pointerdown", (event) => {
      if (event.button === 0) this.#hold();
    });
    for (const type of ["pointerup", "pointerleave", "pointercancel", "keyup", "blur"]) this.addEventListener(type, () => this.#letGo());
    this.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  #hold() {
    if (!this.#isFree || this.#timer) return;
    this.classList.add("held");
    // What was meant when the hold began: another person may hold the same button.
    const values = this.values();
    this.#timer = setTimeout(() => {
      this.#letGo();
      this.#fire(values);
    }, HOLD);
  }

  #letGo() {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.classList.remove("held");
  }

  async #fire(values) {
    if (!this.#isFree) return;
    const address = this.getAttribute("address");
    if (this.hasAttribute("set")) return router.send(address, ...values);
    try {
      // Only a request is told that a go came too early; the router ignores a plain one.
      await router.ask(address, ...values);
      this.dispatchEvent(new CustomEvent("done"));
    } catch ({ message }) {
      router.dispatchEvent(new CustomEvent("problem", { detail: { address, symbol: "", sentence: message } }));
      this.dispatchEvent(new CustomEvent("refused", { detail: message }));
    }
  }
}

customElements.define("mr-button", Button);
