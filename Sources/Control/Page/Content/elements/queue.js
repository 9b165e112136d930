// The queue of a player: <mr-queue player="walkin">. Items are moved by their handles, by buttons or by the arrow keys, played from, and removed.
// The event `queue` (detail: rows of media id, title, artist, album, seconds) tells what it has.

import { clean, h, PageElement, setName } from "../core/element.js";
import { router } from "../core/router.js";
import { clock } from "../core/texts.js";
import { drag } from "./drag.js";

/** Items of a page. */
const PAGE = 100;
/** The router does not tell when an item was moved, so the page looks so often, in milliseconds. */
const AGAIN = 1_000;

class Queue extends PageElement {
  #address = "";
  #rows = [];
  #shown = PAGE;
  #isReading = false;
  #isStale = false;
  /** Gives up the drag; nil while no finger drags. */
  #giveUp = null;
  /** What to focus when the list is drawn anew: the index of an item, and the class of its control. */
  #focus = null;

  build() {
    this.#address = `/player/${this.getAttribute("player")}`;
    this.list = h("ol", { "aria-label": `Queue of ${clean(this.getAttribute("player"))}` });
    this.more = h("button", { type: "button", hidden: true, onclick: () => this.#showMore() }, "Show more");
    this.empty = h("p", { class: "quiet" }, "The queue is empty. Add from the library.");
    this.append(this.list, this.more, this.empty);
  }

  connect() {
    const read = () => this.read();
    this.watch(`${this.#address}/queue/length`, read);
    this.watch(`${this.#address}/queue/index`, () => this.#mark());
    this.watchRight(() => {
      if (!router.mayControl) this.#giveUp?.();
      for (const control of this.list.querySelectorAll("button")) control.disabled = !router.mayControl;
      this.read();
    });
    const timer = setInterval(() => !document.hidden && this.read(), AGAIN);
    this.until(() => {
      clearInterval(timer);
      this.#giveUp?.();
    });
  }

  #showMore() {
    this.#shown += PAGE;
    this.read();
  }

  /** Reads the items again. */
  async read() {
    if (this.#isReading) return (this.#isStale = true);
    if (router.state !== "live") return;
    this.#isReading = true;
    this.#isStale = false;
    try {
      this.#take(await router.list(`${this.#address}/queue/list`, 0, Math.min(this.#shown, 1_000)));
    } catch {
      // The connection was lost, or the player has gone.
    }
    this.#isReading = false;
    if (this.#isStale) this.read();
  }

  #take(rows) {
    this.more.hidden = router.value(`${this.#address}/queue/length`, 0) <= rows.length;
    this.empty.hidden = rows.length > 0;
    if (JSON.stringify(rows) === JSON.stringify(this.#rows)) return;
    if (this.#giveUp) {
      // The places under the finger are no longer those of the router.
      this.#giveUp();
      problem(`${this.#address}/queue/move`, "The queue has changed meanwhile, so nothing was moved.");
    }
    this.#rows = rows;
    this.#keepFocus();
    this.list.replaceChildren(...rows.map((row, index) => this.#item(row, index)));
    this.list.children[this.#focus?.index]?.querySelector(`.${this.#focus.control}`)?.focus();
    this.#focus = null;
    this.#mark();
    this.dispatchEvent(new CustomEvent("queue", { detail: rows }));
  }

  /** A list that is drawn anew would take the focus away. */
  #keepFocus() {
    const item = document.activeElement?.closest?.("li");
    if (this.#focus || item?.parentElement !== this.list) return;
    this.#focus = { index: [...this.list.children].indexOf(item), control: document.activeElement.classList[0] };
  }

  #item([, title, artist, , seconds], index) {
    const what = clean(title) || `item ${index + 1}`;
    const name = h("bdi", { class: "name" });
    setName(name, what);
    const by = h("bdi", { class: "quiet" });
    setName(by, artist);
    const button = (control, label, text, act) =>
      h("button", { type: "button", class: control, "aria-label": label, disabled: !router.mayControl, onclick: act }, text);
    const handle = button("handle", `Move ${what}: drag it, or press the arrow keys`, "≡", () => {});
    const item = h("li", {}, handle,
      h("button", { type: "button", class: "item", disabled: !router.mayControl, onclick: () => router.send(`${this.#address}/queue/index`, index) }, name, by),
      h("span", { class: "time" }, seconds > 0 ? clock(seconds) : ""),
      button("up", `Move ${what} up`, "↑", () => this.#move(index, index - 1, "up")),
      button("down", `Move ${what} down`, "↓", () => this.#move(index, index + 1, "down")),
      button("remove", `Remove ${what}`, "×", () => this.#remove(index)));
    handle.addEventListener("pointerdown", (event) => this.#drag(event, item));
    handle.addEventListener("keydown", (event) => {
      const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!by || !router.mayControl) return;
      event.preventDefault();
      this.#move(index, index + by, "handle");
    });
    return item;
  }

  #mark() {
    const index = router.value(`${this.#address}/queue/index`, -1);
    [...this.list.children].forEach((item, place) => {
      item.classList.toggle("now", place === index);
      if (place === index) item.setAttribute("aria-current", "true");
      else item.removeAttribute("aria-current");
    });
  }

  // MARK: What people do

  #drag(event, item) {
    if (event.button !== 0 || !router.mayControl || this.#giveUp) return;
    this.#giveUp = drag(event, this.list, item, (from, to) => this.#move(from, to), () => (this.#giveUp = null));
  }

  #move(from, to, control = null) {
    if (to < 0 || to >= this.#rows.length || from === to) return;
    if (control) this.#focus = { index: to, control };
    this.#ask("move", from, to);
  }

  #remove(index) {
    this.#focus = { index: Math.min(index, this.#rows.length - 2), control: "remove" };
    this.#ask("remove", index);
  }

  async #ask(verb, ...args) {
    const address = `${this.#address}/queue/${verb}`;
    try {
      await router.ask(address, ...args);
    } catch ({ message }) {
      this.#focus = null;
      problem(address, message);
    }
    this.read();
  }
}

function problem(address, sentence) {
  router.dispatchEvent(new CustomEvent("problem", { detail: { address, symbol: "", sentence } }));
}

customElements.define("mr-queue", Queue);
