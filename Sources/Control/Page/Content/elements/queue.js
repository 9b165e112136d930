// The queue of a player: <mr-queue player="tape">. A tap on an item goes to it. The handle of an item moves it: with a finger, or with the arrow
// keys. The router alone moves items; the list shows what it says.

import { clean, h, PageElement, setName } from "../core/element.js";
import { router } from "../core/router.js";
import { follow } from "../core/things.js";
import { clock } from "../core/time.js";
import "../core/button.js";

/** So many items are shown. */
const MOST = 200;

class Queue extends PageElement {
  #rows = [];
  /** The finger on a handle: its pointer, the item that it moves, and where it would go. */
  #finger = null;
  /** The item whose handle gets the focus when the router has moved it. */
  #focused = null;

  get #address() {
    return `/player/${this.getAttribute("player")}/queue`;
  }

  build() {
    const id = clean(this.getAttribute("player"));
    this.count = h("span", { class: "quiet" });
    this.list = h("ol", { class: "items", "aria-label": `Queue of ${id}` });
    const clear = h("mr-button", { address: `${this.#address}/clear`, label: "Clear", name: `Remove all items of ${id}`, hold: true });
    this.append(h("div", { class: "bar" }, h("h3", {}, "Queue"), this.count, clear), this.list);
    for (const type of ["pointerdown", "pointermove", "pointerup", "pointercancel", "keydown"]) {
      this.list.addEventListener(type, (event) => this[`on_${type}`](event));
    }
  }

  connect() {
    const read = follow(this, `${this.#address}/list`, (rows) => this.#take(rows), 0, MOST);
    this.read = read;
    for (const leaf of ["length", "shuffle"]) this.watch(`${this.#address}/${leaf}`, () => read());
    this.watch(`${this.#address}/length`, (length) => this.#count(length));
    this.watch(`${this.#address}/index`, () => this.#mark());
    this.watchRight(() => this.classList.toggle("fixed", !router.mayControl));
  }

  #count(length) {
    this.count.textContent = length === 1 ? "1 item" : `${length} items${length > MOST ? `, the first ${MOST} shown` : ""}`;
    if (length === 0) this.#take([]);
  }

  #take(rows) {
    this.#rows = rows;
    if (!this.#finger) this.#fill();
  }

  #fill() {
    this.list.replaceChildren(...this.#rows.map(([, title, artist, , seconds], index) => {
      const name = clean(title);
      const item = h("bdi", {});
      setName(item, title);
      const by = h("bdi", { class: "quiet" });
      setName(by, artist);
      const remove = h("mr-button", { address: `${this.#address}/remove`, label: "×", name: `Remove ${name}` });
      remove.values = () => [index];
      remove.addEventListener("done", () => this.read());
      return h("li", { "data-index": index },
        h("button", { type: "button", class: "handle", "aria-label": `Move ${name}, item ${index + 1} of ${this.#rows.length}, by arrow keys` }, "⠿"),
        h("button", { type: "button", class: "item", onclick: () => router.send(`${this.#address}/index`, index) },
          item, by, h("span", { class: "quiet" }, seconds > 0 ? clock(seconds) : "")),
        remove);
    }));
    this.#mark();
    if (this.#focused !== null) this.list.children[this.#focused]?.querySelector(".handle").focus();
    this.#focused = null;
  }

  #mark() {
    const now = router.value(`${this.#address}/index`);
    [...this.list.children].forEach((row, index) => {
      row.classList.toggle("now", index === now);
      const item = row.querySelector(".item");
      if (index === now) item.setAttribute("aria-current", "true");
      else item.removeAttribute("aria-current");
    });
  }

  async #move(from, to) {
    if (!router.mayControl || to === from || to < 0 || to >= this.#rows.length) return this.#fill();
    try {
      await router.ask(`${this.#address}/move`, from, to);
      await this.read();
    } catch ({ message }) {
      router.dispatchEvent(new CustomEvent("problem", { detail: { address: `${this.#address}/move`, symbol: "", sentence: message } }));
      this.#fill();
    }
  }

  on_keydown(event) {
    const row = event.target.matches(".handle") ? event.target.parentElement : null;
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!row || !step) return;
    event.preventDefault();
    const from = Number(row.dataset.index);
    const to = from + step;
    if (to < 0 || to >= this.#rows.length) return;
    this.#focused = to;
    this.#move(from, to);
  }

  on_pointerdown(event) {
    const handle = event.target.closest(".handle");
    if (!handle || this.#finger || event.button !== 0 || !router.mayControl) return;
    event.preventDefault();
    handle.focus({ preventScroll: true });
    handle.setPointerCapture(event.pointerId);
    const from = Number(handle.parentElement.dataset.index);
    this.#finger = { id: event.pointerId, from, to: from, y: event.clientY };
    handle.parentElement.classList.add("moving");
  }

  on_pointermove(event) {
    const finger = this.#finger;
    if (event.pointerId !== finger?.id) return;
    const rows = [...this.list.children];
    const boxes = rows.map((row) => row.getBoundingClientRect());
    const over = boxes.findIndex((box) => event.clientY < box.bottom);
    finger.to = over < 0 ? rows.length - 1 : over;
    rows.forEach((row, index) => {
      row.classList.toggle("above", index === finger.to && finger.to < finger.from);
      row.classList.toggle("below", index === finger.to && finger.to > finger.from);
    });
  }

  on_pointerup(event) {
    const finger = this.#finger;
    if (event.pointerId !== finger?.id) return;
    this.#finger = null;
    this.#focused = finger.to;
    this.#move(finger.from, finger.to);
    for (const row of this.list.children) row.classList.remove("above", "below", "moving");
  }

  on_pointercancel(event) {
    if (event.pointerId !== this.#finger?.id) return;
    this.#finger = null;
    this.#fill();
  }
}

customElements.define("mr-queue", Queue);
