// For an administrator: makes a link to the mix of an output, with its QR code, and takes links back.

import { clean, h, PageElement } from "../core/element.js";
import { router } from "../core/router.js";

const HOURS = { 1: "for an hour", 3: "for 3 hours", 12: "for 12 hours", 72: "for three days" };

/** <mr-mix-links output="headphones">: a form, the newest link, and all tokens of the output. */
class MixLinks extends PageElement {
  build() {
    this.name = h("input", { type: "text", maxlength: 48, placeholder: "For whom", "aria-label": "For whom" });
    this.hours = h("select", { "aria-label": "For how long" },
      ...Object.entries(HOURS).map(([value, text]) => h("option", { value, selected: value === "12" }, text)));
    this.result = h("div", { class: "link", role: "status" });
    this.list = h("ul", { class: "tokens", "aria-label": "Links that hold" });
    const form = h("form", { onsubmit: (event) => this.#make(event) }, this.name, this.hours, h("button", {}, "Make a link"));
    this.append(h("h3", {}, "A phone for this mix"), form, this.result, this.list);
  }

  connect() {
    this.watchRight(() => {
      this.hidden = router.right !== "admin";
      if (!this.hidden) this.#read();
    });
  }

  get #output() {
    return this.getAttribute("output");
  }

  async #make(event) {
    event.preventDefault();
    const name = clean(this.name.value).trim();
    try {
      const rest = name ? [name] : [];
      const [row] = await router.list("/token/make", this.#output, Number(this.hours.value), ...rest);
      const link = `${location.origin}/mix/${this.#output}#${row[3]}`;
      this.result.replaceChildren(h("p", {}, h("a", { href: link }, link)), hint());
      this.name.value = "";
      this.#read();
      const [[size, modules]] = await router.list("/token/code", link);
      this.result.prepend(drawing(size, modules));
    } catch (error) {
      this.result.append(h("p", {}, h("bdi", {}, clean(error.message))));
    }
  }

  async #read() {
    try {
      const rows = (await router.list("/token/list")).filter((row) => row[2] === this.#output);
      this.list.replaceChildren(...rows.map(([id, name, , left]) => h("li", {},
        h("bdi", {}, clean(name)), ` ends in ${Math.floor(left / 3600)} h ${Math.floor(left / 60) % 60} min `,
        h("button", { type: "button", "aria-label": `Withdraw ${clean(name)}`, onclick: () => this.#withdraw(id) }, "Withdraw"))));
    } catch {
      // Without a connection the list stays as it was.
    }
  }

  async #withdraw(id) {
    try {
      await router.ask("/token/withdraw", String(id));
    } catch {
      // Somebody else was faster.
    }
    this.#read();
  }
}

/** A link with the name of this machine leads a phone to the phone itself. */
function hint() {
  const isHere = /^(localhost|127\.|\[::1\])/.test(location.hostname);
  return isHere ? h("p", {}, "This link works on this machine only. Open the page at an address of the network, then make another.") : null;
}

/** The modules of a QR code as a drawing, with the light margin that readers need. */
function drawing(size, modules) {
  const space = "http://www.w3.org/2000/svg";
  const [picture, path] = ["svg", "path"].map((name) => document.createElementNS(space, name));
  let shape = "";
  for (let index = 0; index < modules.length; index += 1) {
    if (modules[index] === "1") shape += `M${4 + (index % size)} ${4 + Math.floor(index / size)}h1v1h-1z`;
  }
  picture.setAttribute("viewBox", `0 0 ${size + 8} ${size + 8}`);
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", "QR code of the link");
  picture.setAttribute("class", "code");
  path.setAttribute("d", shape);
  picture.append(path);
  return picture;
}

customElements.define("mr-mix-links", MixLinks);
