// The library: what is found is added to the queue of a player.

import { clean, h, PageElement, setName } from "../core/element.js";
import { router } from "../core/router.js";
import "../core/button.js";

/** So many songs are shown. */
const MOST = 50;
/** A search begins when so long no key was pressed, in milliseconds. */
const REST = 200;

class Library extends PageElement {
  #timer = null;
  #latest = 0;

  build() {
    this.setAttribute("role", "search");
    this.setAttribute("aria-label", "Library");
    this.count = h("p", { class: "quiet" });
    this.query = h("input", { type: "search", placeholder: "words, or album:Blue", "aria-label": "Search the library" });
    this.query.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#find(), REST);
    });
    this.target = h("select", { "aria-label": "Add to the queue of" });
    this.said = h("p", { class: "quiet", role: "status" });
    this.found = h("ul", { class: "found" });
    this.append(h("h2", {}, "Library"), this.count, this.query, (this.to = h("label", { hidden: true }, "Add to ", this.target)), this.said, this.found,
      h("div", { class: "buttons" }, h("mr-button", { address: "/library/scan", label: "Look for new files" })));
  }

  connect() {
    this.subscribe("/library/*");
    const say = () => {
      const progress = router.value("/library/progress", 1);
      this.count.textContent = `${router.value("/library/count", 0)} songs${progress < 1 ? `, scan at ${Math.round(progress * 100)} %` : ""}`;
    };
    for (const leaf of ["count", "progress"]) this.watch(`/library/${leaf}`, say);
    this.until(() => clearTimeout(this.#timer));
  }

  /** Tells which players there are. */
  players(ids) {
    const chosen = this.target.value;
    this.target.replaceChildren(...ids.map((id) => h("option", { value: id }, id)));
    if (ids.includes(chosen)) this.target.value = chosen;
    this.to.hidden = ids.length === 0;
    for (const button of this.found.querySelectorAll("mr-button")) button.toggleAttribute("locked", ids.length === 0);
  }

  async #find() {
    const number = (this.#latest += 1);
    const query = this.query.value.trim();
    let rows = [];
    let refusal = "";
    try {
      if (query !== "") rows = await router.list("/library/find", query, 0, MOST);
    } catch ({ message }) {
      refusal = message;
    }
    // An answer to an earlier word may come late.
    if (number !== this.#latest) return;
    this.said.textContent = refusal || (query === "" ? "" : rows.length === 0 ? "Nothing found." : rows.length < MOST ? `${rows.length} found.` : `The first ${MOST}.`);
    this.found.replaceChildren(...rows.map(([media, title, artist]) => {
      const name = h("bdi", {});
      setName(name, title);
      const by = h("bdi", { class: "quiet" });
      setName(by, artist);
      const add = h("mr-button", { address: "", label: "Add", name: `Add ${clean(title)}`, locked: this.target.options.length === 0 });
      // The player is the one that is chosen when the button is pressed.
      for (const type of ["click", "keydown"]) {
        add.addEventListener(type, () => add.setAttribute("address", `/player/${this.target.value}/queue/add`), { capture: true });
      }
      add.values = () => [media];
      return h("li", {}, h("span", { class: "song" }, name, by), add);
    }));
  }
}

customElements.define("mr-library", Library);
