// A session that is interrupted or ducked, and by whom and how much: <mr-affected session="show">. It is not seen while neither is so.

import { clean, h, PageElement, setName } from "../core/element.js";
import { router } from "../core/router.js";
import { slowly } from "../core/slowly.js";

/** The deepest attenuation of the bar, in dB. */
const DEEPEST = 60;

class Affected extends PageElement {
  build() {
    this.setAttribute("role", "listitem");
    this.name = h("bdi", { class: "name" });
    this.amount = h("span", { class: "amount" });
    this.bar = h("span", { class: "bar", "aria-hidden": "true" }, h("span", {}));
    this.why = h("bdi", { class: "why" });
    this.append(h("div", { class: "head" }, this.name, this.amount), this.bar, this.why);
  }

  connect() {
    const id = this.getAttribute("session");
    const address = `/session/${id}`;
    this.watch(`${address}/name`, (name) => setName(this.name, name || id));
    setName(this.name, router.value(`${address}/name`) || id);
    const show = () => {
      const isInterrupted = router.value(`${address}/interrupted`) === 1;
      const level = router.value(`${address}/duck/now`, 0);
      this.hidden = !isInterrupted && router.value(`${address}/ducked`) !== 1 && level > -0.05;
      this.bar.firstChild.style.transform = `scaleX(${Math.min(1, -level / DEEPEST)})`;
      this.bar.hidden = level > -0.05;
      slowly(this, () => {
        this.amount.textContent = isInterrupted ? "interrupted" : `${level.toFixed(1)} dB`;
        this.why.textContent = clean(router.value(`${address}/why`, ""));
      });
    };
    for (const leaf of ["interrupted", "ducked", "why", "duck/now"]) this.watch(`${address}/${leaf}`, show);
    show();
  }
}

customElements.define("mr-affected", Affected);
