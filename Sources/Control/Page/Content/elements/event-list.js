// What has happened, as sentences, the newest first: <mr-event-list>. The router keeps the last thousand; the sentences are its own.

import { clean, h, PageElement } from "../core/element.js";
import { router } from "../core/router.js";

/** So many are kept on the page. */
const MOST = 300;
/** So long news are gathered before they are read, in milliseconds. */
const GATHER = 150;

/** The kinds to choose from, by the ends of the events' addresses. */
const KINDS = {
  all: ["everything", () => true],
  wrong: ["errors, alarms and glitches", ({ kind }) => ["error", "health", "glitch", "xrun", "media"].includes(kind)],
  sound: ["who is heard: calls, on air, routes, mutes", ({ kind }) => ["active", "interruption", "route", "mute", "hint", "recommend"].includes(kind)],
  scenes: ["scenes", ({ kind }) => kind === "preset"],
  devices: ["devices and sessions", ({ kind }) => ["port", "session", "inputs", "category"].includes(kind)],
  reports: ["reports", ({ kind }) => kind === "report"],
};

class EventList extends PageElement {
  /** The number of the newest event on the page; at first one that no event has, so that the router tells which there are. */
  #last = 2 ** 31 - 1;
  #isReading = false;
  #isStale = false;
  #timer = null;

  build() {
    this.kind = h("select", { "aria-label": "Kind of events", onchange: () => this.#filter() },
      ...Object.entries(KINDS).map(([value, [title]]) => h("option", { value }, title)));
    this.words = h("input", { type: "search", "aria-label": "Words in the sentence", placeholder: "Words", oninput: () => this.#filter() });
    this.count = h("p", { class: "quiet", role: "status" });
    this.list = h("ol", { tabindex: 0, "aria-label": "Events, the newest first" });
    this.append(h("div", { class: "filter" }, this.kind, this.words), this.count, this.list);
  }

  connect() {
    this.subscribe("/event/*");
    const news = () => this.#await();
    for (const type of ["event", "right"]) router.addEventListener(type, news);
    this.until(() => {
      for (const type of ["event", "right"]) router.removeEventListener(type, news);
      clearTimeout(this.#timer);
      this.#timer = null;
    });
    this.#read();
  }

  #await() {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#read();
    }, GATHER);
  }

  async #read() {
    if (this.#isReading) {
      this.#isStale = true;
      return;
    }
    this.#isReading = true;
    this.#isStale = false;
    try {
      while (this.#take(await router.ask("/event/lines", this.#last)));
    } catch {
      // The connection was lost: the next one reads again.
    }
    this.#isReading = false;
    if (this.#isStale) this.#read();
  }

  /** Takes an answer, and tells whether there may be more. */
  #take(rows) {
    const [[first, last, ...line]] = rows;
    if (line.length === 0) {
      // Not a list: the numbers of the first and the last event that the router keeps, since it does not know the one asked for; or none.
      if (last > 0 && last < this.#last) this.list.replaceChildren();
      if (last > 0) this.#last = Math.max(first - 1, last - MOST);
      return last > 0;
    }
    const items = [];
    for (const [, , serial, text] of rows) {
      this.#last = serial;
      const item = this.#item(text);
      if (item) items.unshift(item);
    }
    this.list.prepend(...items);
    while (this.list.childElementCount > MOST) this.list.lastChild.remove();
    this.#filter();
    return true;
  }

  #item(text) {
    let line;
    try {
      line = JSON.parse(text);
    } catch {
      return null;
    }
    const kind = String(line.event ?? line.set ?? "").split("/").at(-1);
    const time = new Date(line.time);
    const clock = Number.isNaN(time.getTime()) ? "" : time.toLocaleTimeString([], { hour12: false });
    const by = line.client ? ` (by ${clean(line.client)})` : "";
    const item = h("li", { "data-kind": kind }, h("time", { datetime: line.time }, clock), h("span", { class: "kind" }, kind),
      h("bdi", {}, `${clean(line.text)}${by}`));
    item.event = { kind, words: `${kind} ${line.text} ${line.client ?? ""}`.toLowerCase() };
    return item;
  }

  #filter() {
    const [, admits] = KINDS[this.kind.value];
    const words = this.words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const item of this.list.children) {
      item.hidden = !admits(item.event) || !words.every((word) => item.event.words.includes(word));
      if (!item.hidden) count += 1;
    }
    const all = this.list.childElementCount;
    this.count.textContent = all === 0 ? "Nothing has happened yet." : `${count} of ${all} events`;
  }
}

customElements.define("mr-event-list", EventList);
