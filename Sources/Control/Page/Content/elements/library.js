// The music library: <mr-library>, with search, and buttons that add to the queue of a player.

import { clean, h, PageElement, setName } from "../core/element.js";
import { router } from "../core/router.js";
import "../core/button.js";

/** Rows of a page. */
const PAGE = 50;
/** So long a word is awaited before it is looked for, in milliseconds. */
const PAUSE = 250;
const LISTS = ["songs", "albums", "artists", "genres", "composers", "playlists", "podcasts", "audiobooks", "compilations"];

class Library extends PageElement {
  #players = [];
  #shown = PAGE;
  #isReading = false;
  #isStale = false;
  #timer = null;

  build() {
    this.classList.add("panel");
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", "Library");
    const again = () => this.#await();
    this.words = h("input", { type: "search", "aria-label": "Search the library", placeholder: "Search, such as blue or artist:Davis", maxlength: 200, autocomplete: "off", oninput: again });
    this.kind = h("select", { "aria-label": "What to list without a search", onchange: again }, ...LISTS.map((list) => h("option", { value: list }, list)));
    this.player = h("select", { "aria-label": "The player to which is added", onchange: () => this.#enable() });
    this.count = h("p", { class: "quiet", role: "status" });
    this.list = h("ul", {});
    this.more = h("button", { type: "button", hidden: true, onclick: () => this.#showMore() }, "Show more");
    this.append(h("h2", {}, "Library"), h("div", { class: "filter" }, this.words, this.kind),
      (this.target = h("label", { class: "target" }, h("span", {}, "Add to"), this.player)), this.count, this.list, this.more,
      h("div", { class: "buttons" }, h("mr-button", { address: "/library/scan", label: "Look for new files" })));
  }

  /** The players to which can be added. */
  set players(ids) {
    if (JSON.stringify(ids) === JSON.stringify(this.#players)) return;
    this.#players = ids;
    const chosen = this.player.value;
    this.player.replaceChildren(...ids.map((id) => h("option", { value: id }, id)));
    if (ids.includes(chosen)) this.player.value = chosen;
    this.#enable();
  }

  connect() {
    this.subscribe("/library/*");
    for (const leaf of ["count", "progress"]) this.watch(`/library/${leaf}`, () => this.#await());
    this.watchRight(() => {
      this.#enable();
      this.#read();
    });
    this.until(() => clearTimeout(this.#timer));
  }

  #await() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#shown = PAGE;
      this.#read();
    }, PAUSE);
  }

  #showMore() {
    this.#shown += PAGE;
    this.#read();
  }

  async #read() {
    if (this.#isReading) return (this.#isStale = true);
    if (router.state !== "live") return;
    this.#isReading = true;
    this.#isStale = false;
    const words = this.words.value.trim();
    this.kind.disabled = words !== "";
    try {
      const page = [0, Math.min(this.#shown, 1_000)];
      const answers = words ? await router.ask("/library/find", words, ...page) : await router.ask(`/library/${this.kind.value}`, ...page);
      const rows = answers.filter((row) => row[1] > 0 && row.length > 2);
      this.#fill(rows.map((row) => row.slice(2)), answers[0]?.[1] ?? 0);
    } catch ({ message }) {
      if (router.state === "live") this.#fill([], 0, message);
    }
    this.#isReading = false;
    if (this.#isStale) this.#read();
  }

  #fill(rows, total, fault = "") {
    this.list.replaceChildren(...rows.map((row) => this.#item(row)));
    this.more.hidden = rows.length >= total || rows.length >= 1_000;
    const progress = router.value("/library/progress", 1);
    const scan = progress < 1 ? `, ${Math.round(progress * 100)} % looked through` : "";
    const known = `${router.value("/library/count", 0)} songs in the library${scan}`;
    this.count.textContent = fault ? clean(fault) : `${rows.length} of ${total} shown; ${known}`;
    this.#enable();
  }

  #item([word, title, artist, album, count]) {
    const name = h("bdi", { class: "name" });
    setName(name, title || word);
    const about = h("bdi", { class: "quiet" });
    setName(about, [artist, album === title ? "" : album, typeof count === "number" ? `${count} songs` : ""].filter(Boolean).join(" · "));
    const button = (verb, label, values) => {
      const element = h("mr-button", { class: verb, label, name: `${label}: ${clean(title || word)}` });
      element.values = values;
      return element;
    };
    return h("li", {}, h("div", { class: "what" }, name, about), button("add", "Add", () => [word]),
      button("insert", "Next", () => [this.#nextIndex, word]));
  }

  /** Where an item must stand to be the next one. */
  get #nextIndex() {
    const address = `/player/${this.player.value}/queue`;
    return Math.min(router.value(`${address}/length`, 0), router.value(`${address}/index`, 0) + 1);
  }

  #enable() {
    const player = this.player.value;
    this.target.hidden = this.#players.length < 2;
    this.player.disabled = !router.mayControl;
    for (const button of this.list.querySelectorAll("mr-button")) {
      button.setAttribute("address", `/player/${player}/queue/${button.classList.contains("add") ? "add" : "insert"}`);
      button.toggleAttribute("locked", !player);
    }
  }
}

customElements.define("mr-library", Library);
