// The players, each with its transport and queue, and the library to fill the queues from.

import { h, PageElement } from "../core/element.js";
import { model } from "../core/model.js";
import { subject } from "../core/subjects.js";
import { follow } from "../core/things.js";
import "../core/button.js";
import "./library.js";
import "./player.js";

class Players extends PageElement {
  build() {
    this.classList.add("view");
    this.none = h("p", { class: "quiet", hidden: true }, "There is no player yet.");
    this.session = h("select", { "aria-label": "Session of the new player" });
    const make = h("mr-button", { address: "/player/create", label: "New player" });
    make.values = () => [this.#freeId(), this.session.value];
    make.addEventListener("done", () => this.read());
    this.library = h("mr-library", { class: "panel" });
    this.append(h("div", { class: "sections" },
      (this.players = h("div", { class: "column players" })),
      h("div", { class: "column" }, this.library, h("section", { class: "panel", "aria-label": "New player" }, this.none, h("div", { class: "buttons" }, this.session, make)))));
  }

  connect() {
    this.subscribe("/player/*");
    this.until(model.watch(() => this.session.replaceChildren(...model.sessions.map((id) => h("option", { value: id }, id)))));
    this.read = follow(this, "/player/list", (rows) => this.#fill(rows.map(([id]) => id)));
  }

  #ids = [];

  /** Players that stay are not touched, so that a finger on one of them never loses it. */
  #fill(ids) {
    this.#ids = ids;
    this.none.hidden = ids.length > 0;
    const present = new Map([...this.players.children].map((player) => [player.getAttribute("player"), player]));
    for (const [id, player] of present) if (!ids.includes(id)) player.remove();
    ids.forEach((id, index) => {
      const player = present.get(id) ?? h("mr-player", { player: id, class: "panel" });
      if (this.players.children[index] !== player) this.players.insertBefore(player, this.players.children[index] ?? null);
    });
    this.library.players(ids);
  }

  #freeId() {
    for (let number = 1; ; number += 1) if (!this.#ids.includes(`player-${number}`)) return `player-${number}`;
  }
}

customElements.define("mr-players", Players);
subject({ id: "players", title: "Players", icon: "players", tag: "mr-players", order: 40 });
