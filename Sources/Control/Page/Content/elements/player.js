// A player: <mr-player player="walkin">, with transport, place, level, order and queue.

import { clean, h, PageElement, setName } from "../core/element.js";
import { router } from "../core/router.js";
import "../core/button.js";
import "../core/choice.js";
import "../core/number.js";
import "../core/row.js";
import "./queue.js";
import "./seek.js";

const STATES = {
  stopped: "stopped", prepared: "ready", playing: "plays", paused: "paused", interrupted: "interrupted",
  seekingForward: "winds forward", seekingBackward: "winds back",
};

class Player extends PageElement {
  #address = "";
  #rows = [];

  build() {
    const id = this.getAttribute("player");
    this.#address = `/player/${id}`;
    this.classList.add("panel");
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", `Player ${id}`);
    this.state = h("span", { class: "state", role: "status" });
    this.into = h("bdi", { class: "quiet into" });
    this.title_ = h("bdi", { class: "title" });
    this.by = h("bdi", { class: "quiet by" });
    this.next = h("bdi", {});
    this.queue = h("mr-queue", { player: id, onqueue: (event) => this.#takeQueue(event.detail) });
    this.append(
      h("div", { class: "head" }, h("h2", {}, h("bdi", {}, clean(id))), this.state, this.into),
      this.title_, this.by, h("mr-seek", { player: id }), this.#transport(id),
      h("p", { class: "upcoming" }, h("span", { class: "quiet" }, "Next: "), this.next),
      h("mr-row", { address: this.#address, title: "Level", name: id, first: "mute" }), this.#order(id), this.queue,
      h("div", { class: "buttons" },
        h("mr-button", { address: `${this.#address}/queue/clear`, hold: true, label: "Clear the queue", name: `Clear the queue of ${id}` }),
        this.#removal(id)));
  }

  #transport(id) {
    const button = (leaf, label) => h("mr-button", { class: leaf.split("/").at(-1), address: `${this.#address}/${leaf}`, label, name: `${label}: ${id}` });
    this.play = button("play", "Play");
    this.pause = button("pause", "Pause");
    return h("div", { class: "transport" }, button("queue/previous", "Previous"), this.play, this.pause, button("stop", "Stop"), button("queue/next", "Next"));
  }

  #order(id) {
    const choice = (leaf, label, options) => {
      const element = h("mr-choice", { address: `${this.#address}/queue/${leaf}`, label, name: `${label} of ${id}` });
      element.options = options;
      return element;
    };
    return h("details", { class: "order" }, h("summary", {}, "Order and loops"),
      choice("repeat", "Repeat", { none: "nothing", one: "the item", all: "the queue" }),
      choice("shuffle", "Shuffle", { off: "off", songs: "songs", albums: "albums" }),
      h("mr-number", { address: `${this.#address}/loops`, label: "Play again", unit: "×", min: -1, max: 9999, step: 1 }),
      h("mr-number", { address: `${this.#address}/queue/crossfade`, label: "Crossfade", unit: "s", min: 0, max: 30, step: 0.5 }),
      h("p", { class: "quiet" }, "Play again −1: without end."));
  }

  #removal(id) {
    const button = h("mr-button", { address: "/player/remove", hold: true, label: "Remove the player", name: `Remove the player ${id}` });
    button.values = () => [id];
    return button;
  }

  connect() {
    const show = () => this.#show();
    for (const leaf of ["state", "title", "artist", "album", "stream", "queue/index", "queue/repeat", "queue/shuffle", "loops"]) {
      this.watch(`${this.#address}/${leaf}`, show);
    }
    show();
  }

  #takeQueue(rows) {
    this.#rows = rows;
    this.#show();
  }

  #show() {
    const value = (leaf, otherwise = "") => router.value(`${this.#address}/${leaf}`, otherwise);
    const state = value("state", "stopped");
    this.dataset.state = state;
    this.state.textContent = STATES[state] ?? clean(state);
    this.play.classList.toggle("on", ["playing", "seekingForward", "seekingBackward"].includes(state));
    this.pause.classList.toggle("on", state === "paused");
    this.into.textContent = value("stream") ? `into ${clean(value("stream"))}` : "";
    setName(this.title_, value("title") || "nothing to play");
    setName(this.by, [value("artist"), value("album")].filter(Boolean).join(" · "));
    this.next.textContent = this.#nextTitle(value);
  }

  #nextTitle(value) {
    const index = value("queue/index", 0);
    if (this.#rows.length === 0) return "nothing";
    if (value("queue/repeat") === "one" || value("loops", 0) !== 0) return `${clean(value("title"))} again`;
    if (value("queue/shuffle", "off") !== "off") return "one at random";
    const next = this.#rows[index + 1] ?? (value("queue/repeat") === "all" && index + 1 >= value("queue/length", 0) ? this.#rows[0] : null);
    if (next) return clean(next[1]);
    return index + 1 < value("queue/length", 0) ? "further down the queue" : "nothing";
  }
}

customElements.define("mr-player", Player);
