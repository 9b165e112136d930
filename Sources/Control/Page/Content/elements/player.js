// One player: <mr-player player="tape">: what plays, where it is, the transport, and its queue.

import { clean, h, PageElement, setName } from "../core/element.js";
import "../core/button.js";
import "../core/choice.js";
import "../core/number.js";
import "../core/row.js";
import "./queue.js";
import "./seek.js";

class Player extends PageElement {
  build() {
    const id = this.getAttribute("player");
    const address = `/player/${id}`;
    const button = (leaf, label, name) => h("mr-button", { address: `${address}/${leaf}`, label, name: `${name} ${id}` });
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", `Player ${clean(id)}`);
    this.heading = h("h2", {}, h("bdi"), " ", (this.state = h("span", { class: "state" })));
    setName(this.heading.firstChild, id);
    this.title_ = h("bdi", { class: "title" });
    this.artist = h("bdi", { class: "quiet" });
    this.toggle = button("toggle", "Play", "Play");
    this.append(this.heading, this.title_, this.artist,
      h("mr-seek", { player: id }),
      h("div", { class: "buttons transport" },
        button("queue/previous", "Previous", "Previous item of"), this.toggle, button("stop", "Stop", "Stop"), button("queue/next", "Next", "Next item of")),
      h("mr-row", { address, title: "Level", name: id, first: "mute" }),
      h("div", { class: "buttons" },
        h("mr-choice", { address: `${address}/queue/repeat`, label: "Repeat", name: `Repeat of ${id}`, options: "none one all" }),
        h("mr-choice", { address: `${address}/queue/shuffle`, label: "Shuffle", name: `Shuffle of ${id}`, options: "off songs albums" })),
      h("mr-number", { address: `${address}/loops`, label: "Loops of each item (-1: endless)", unit: "times", min: -1, max: 9999, step: 1 }),
      h("mr-number", { address: `${address}/queue/crossfade`, label: "Crossfade", unit: "s", min: 0, max: 30, step: 0.5 }),
      h("mr-queue", { player: id }));
  }

  connect() {
    const id = this.getAttribute("player");
    const address = `/player/${id}`;
    this.watch(`${address}/title`, (title) => setName(this.title_, title || "nothing to play"));
    this.watch(`${address}/artist`, (artist) => setName(this.artist, artist));
    this.watch(`${address}/state`, (state) => {
      this.state.textContent = clean(state);
      const plays = state === "playing" || String(state).startsWith("seeking");
      this.toggle.say(plays ? "Pause" : "Play", `${plays ? "Pause" : "Play"} ${id}`);
    });
  }
}

customElements.define("mr-player", Player);
