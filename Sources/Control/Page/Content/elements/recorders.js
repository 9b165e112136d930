// The recorders: what each records, for how long, how loud, and how much room the disk has.

import { clean, h, PageElement, setName } from "../core/element.js";
import { model } from "../core/model.js";
import { router } from "../core/router.js";
import { subject } from "../core/subjects.js";
import { follow } from "../core/things.js";
import { clock } from "../core/time.js";
import "../core/button.js";
import "./peaks.js";

class Recorders extends PageElement {
  build() {
    this.classList.add("view");
    this.none = h("p", { class: "quiet", hidden: true }, "There is no recorder yet.");
    this.room = h("p", { class: "room" });
    this.source = h("select", { "aria-label": "What the new recorder records" });
    const make = h("mr-button", { address: "/recorder/create", label: "New recorder" });
    make.values = () => [this.#freeId(), this.source.value];
    make.addEventListener("done", () => this.read());
    this.append(h("div", { class: "sections" },
      h("section", { class: "panel", "aria-label": "Room on the disk, and new recorders" }, h("h2", {}, "Room on the disk"), this.room, this.none,
        h("div", { class: "buttons" }, this.source, make))));
    this.sections = this.firstChild;
  }

  connect() {
    this.subscribe("/recorder/*");
    this.subscribe("/health/disk/{free,on}", 1);
    const say = () => {
      const free = router.value("/health/disk/free");
      const isLow = router.value("/health/disk/on") === 1;
      this.room.textContent = free === undefined ? "not known" : `${(free / 2 ** 30).toFixed(1)} GiB free${isLow ? ": little is left" : ""}`;
      this.room.classList.toggle("bad", isLow);
    };
    for (const leaf of ["free", "on"]) this.watch(`/health/disk/${leaf}`, say);
    say();
    this.until(model.watch(() => this.source.replaceChildren(...[
      ...model.outputs.map((id) => `output:${id}`), ...model.inputs.map((id) => `input:${id}`), ...model.sessions.map((id) => `session:${id}`),
    ].map((source) => h("option", { value: source }, source)))));
    this.read = follow(this, "/recorder/list", (rows) => this.#fill(rows.map(([id]) => id)));
  }

  #ids = [];

  #freeId() {
    for (let number = 1; ; number += 1) if (!this.#ids.includes(`recorder-${number}`)) return `recorder-${number}`;
  }

  #fill(ids) {
    this.#ids = ids;
    this.none.hidden = ids.length > 0;
    const present = new Map([...this.querySelectorAll("mr-recorder")].map((recorder) => [recorder.getAttribute("recorder"), recorder]));
    for (const [id, recorder] of present) if (!ids.includes(id)) recorder.remove();
    for (const id of ids) if (!present.has(id)) this.sections.append(h("mr-recorder", { recorder: id, class: "panel" }));
  }
}

class Recorder extends PageElement {
  build() {
    const id = this.getAttribute("recorder");
    const button = (leaf, label) => h("mr-button", { address: `/recorder/${id}/${leaf}`, label, name: `${label} ${id}`, class: leaf });
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", `Recorder ${clean(id)}`);
    const heading = h("h2", {}, h("bdi"), " ", (this.state = h("span", { class: "state" })));
    setName(heading.firstChild, id);
    this.time = h("span", { class: "time" }, clock(0));
    this.source = h("bdi", { class: "quiet" });
    this.file = h("bdi", { class: "quiet" });
    this.lost = h("p", { class: "bad", role: "status", hidden: true });
    this.append(heading, this.source, this.time, h("mr-peaks", { address: `/recorder/${id}/peak`, name: id }), this.lost, this.file,
      h("div", { class: "buttons" }, button("record", "Record"), button("pause", "Pause"), button("stop", "Stop")));
  }

  connect() {
    const address = `/recorder/${this.getAttribute("recorder")}`;
    this.watch(`${address}/state`, (state) => {
      this.state.textContent = clean(state);
      this.classList.toggle("recording", state === "recording");
    });
    this.watch(`${address}/time`, (seconds) => (this.time.textContent = clock(seconds)));
    this.watch(`${address}/source`, (source) => setName(this.source, source));
    this.watch(`${address}/file/now`, (file) => setName(this.file, file));
    this.watch(`${address}/lost`, (seconds) => {
      this.lost.hidden = !(seconds > 0);
      this.lost.textContent = seconds > 0 ? `${seconds.toFixed(2)} s are silence in the file, because the disk was too slow.` : "";
    });
  }
}

customElements.define("mr-recorder", Recorder);
customElements.define("mr-recorders", Recorders);
subject({ id: "recorders", title: "Recorders", icon: "recorders", tag: "mr-recorders", order: 45 });
