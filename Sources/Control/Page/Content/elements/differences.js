// What a recall would change, as sentences: <mr-differences>. The most audible comes first, as the router has it.

import { clean, h, PageElement } from "../core/element.js";

/** So many are on the page; a tap shows all. */
const FIRST = 12;

class Differences extends PageElement {
  #rows = "";
  #isOpen = false;

  build() {
    this.list = h("ul", {});
    this.more = h("button", { type: "button", hidden: true, onclick: () => this.#open() });
    this.note = h("p", { class: "quiet" });
    this.append(this.note, this.list, this.more);
  }

  /** Shows rows as core/foresight.js has them. `none` is said if there are none. */
  show(rows, none) {
    const key = JSON.stringify([rows, none]);
    if (key === this.#rows) return;
    this.#rows = key;
    this.note.textContent = rows.length === 0 ? none : "";
    this.note.hidden = rows.length > 0;
    this.list.replaceChildren(...rows.map(({ address, now, then, effect }, index) => {
      const words = `${clean(address)}: ${clean(now)} → ${clean(then)}`;
      const isWhy = address.endsWith("/why");
      return h("li", { hidden: index >= FIRST && !this.#isOpen },
        effect ? h("bdi", { class: "effect" }, clean(effect)) : null, h("bdi", { class: effect ? "quiet" : "" }, isWhy && effect ? clean(then) : words));
    }));
    this.more.hidden = rows.length <= FIRST || this.#isOpen;
    this.more.textContent = `All ${rows.length}`;
  }

  /** Says instead of rows why there are none. */
  fail(sentence) {
    this.show([], clean(sentence));
  }

  #open() {
    this.#isOpen = true;
    this.more.hidden = true;
    for (const row of this.list.children) row.hidden = false;
  }
}

customElements.define("mr-differences", Differences);
