// The players of the router, and the library.

import { h, PageElement } from "../core/element.js";
import { model } from "../core/model.js";
import { subject } from "../core/subjects.js";
import "./created.js";
import "./library.js";
import { keepParts } from "./parts.js";
import "./player.js";

/** How often the place is wanted, a second. */
const PLACES = 8;

class Players extends PageElement {
  build() {
    this.classList.add("view");
    this.holder = h("div", { class: "parts" });
    this.empty = h("p", { class: "quiet", hidden: true }, "There is no player yet. Make one below, or in the preset.");
    this.library = h("mr-library", {});
    const created = h("mr-created", { address: "/player/create", label: "New player", what: "the stream into which it plays" });
    created.choices = () => model.sessions.flatMap((id) => (model.streams.get(id) ?? []).map((stream) => `${id}.${stream}`));
    this.append(h("div", { class: "sections" },
      h("section", { class: "column", "aria-label": "Players" }, this.empty, this.holder, h("div", { class: "panel" }, created)), this.library));
  }

  connect() {
    this.subscribe("/player/*/{state,stream,title,artist,album,duration,loops,fader,max,mute}");
    this.subscribe("/player/*/queue/{length,index,repeat,shuffle,crossfade}");
    this.subscribe("/player/*/position", PLACES);
    keepParts(this, "player", "mr-player", this.holder, (ids) => {
      this.empty.hidden = ids.length > 0;
      this.library.players = ids;
    });
  }
}

customElements.define("mr-players", Players);
subject({ id: "players", title: "Players", icon: "players", tag: "mr-players", order: 50 });
