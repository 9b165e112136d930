// What happens: health, load, events.

import { h, PageElement } from "../core/element.js";
import { subject } from "../core/subjects.js";
import "./event-list.js";
import "./health.js";
import "./load-plot.js";

class Events extends PageElement {
  build() {
    this.classList.add("view");
    const panel = (title, content) => h("section", { class: "panel", "aria-label": title }, h("h2", {}, title), content);
    this.append(h("div", { class: "sections" },
      h("div", { class: "column" }, panel("Health", h("mr-health", {})), panel("Load", h("mr-load-plot", {}))),
      panel("What has happened", h("mr-event-list", {}))));
  }
}

customElements.define("mr-events", Events);
subject({ id: "events", title: "Events", icon: "events", tag: "mr-events", order: 80 });
