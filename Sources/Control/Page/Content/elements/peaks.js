// Flat levels: <mr-peaks address="/recorder/tape/peak" name="tape">, a bar for each channel in dBFS, from -60 to 0.

import { clean, h, PageElement } from "../core/element.js";
import { slowly } from "../core/slowly.js";

const FLOOR = -60;

class Peaks extends PageElement {
  build() {
    this.setAttribute("role", "meter");
    this.setAttribute("aria-label", `Level of ${clean(this.getAttribute("name"))}`);
    this.setAttribute("aria-valuemin", FLOOR);
    this.setAttribute("aria-valuemax", 0);
    this.#say(FLOOR);
  }

  connect() {
    this.subscribe(this.getAttribute("address"), 20);
    this.watch(this.getAttribute("address"), (_, levels) => {
      if (this.children.length !== levels.length) this.replaceChildren(...levels.map(() => h("span", { class: "bar" }, h("span", { class: "cover" }))));
      levels.forEach((level, index) => {
        const part = Math.min(1, Math.max(0, 1 - level / FLOOR));
        this.children[index].firstChild.style.transform = `scaleX(${1 - part})`;
      });
      slowly(this, () => this.#say(Math.max(FLOOR, ...levels)));
    });
  }

  #say(level) {
    this.setAttribute("aria-valuenow", level.toFixed(0));
    this.setAttribute("aria-valuetext", level <= FLOOR ? "silent" : `${level.toFixed(0)} dBFS`);
  }
}

customElements.define("mr-peaks", Peaks);
