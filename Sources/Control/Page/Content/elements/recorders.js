// The recorders of the router, and their files.

import { h, PageElement } from "../core/element.js";
import { model } from "../core/model.js";
import { subject } from "../core/subjects.js";
import "./created.js";
import { keepParts } from "./parts.js";
import "./recorder.js";
import "./recordings.js";

/** How often times are wanted, a second. */
const TIMES = 8;

class Recorders extends PageElement {
  build() {
    this.classList.add("view");
    this.holder = h("div", { class: "parts" });
    this.empty = h("p", { class: "quiet", hidden: true }, "There is no recorder yet. Make one below, or in the preset.");
    this.recordings = h("mr-recordings", {});
    const created = h("mr-created", { address: "/recorder/create", label: "New recorder", what: "what it records" });
    created.choices = () => [
      ...model.outputs.map((id) => `output:${id}`), ...model.inputs.map((id) => `input:${id}`), ...model.sessions.map((id) => `session:${id}`),
      ...model.sessions.flatMap((id) => (model.streams.get(id) ?? []).map((stream) => `stream:${id}.${stream}`)),
    ];
    this.append(h("div", { class: "sections" },
      h("section", { class: "column", "aria-label": "Recorders" }, this.empty, this.holder, h("div", { class: "panel" }, created)), this.recordings));
  }

  connect() {
    this.subscribe("/recorder/*/{state,source,time,lost,format}", TIMES);
    this.subscribe("/recorder/*/file/now");
    this.subscribe("/recorder/*/peak");
    keepParts(this, "recorder", "mr-recorder", this.holder, (ids) => {
      this.empty.hidden = ids.length > 0;
      this.recordings.recorders = ids;
    });
  }
}

customElements.define("mr-recorders", Recorders);
subject({ id: "recorders", title: "Recorders", icon: "recorders", tag: "mr-recorders", order: 60 });
