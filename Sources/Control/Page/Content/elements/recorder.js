// A recorder: <mr-recorder recorder="tape">: what it records and where to, time, level, and its transport.

import { clean, h, PageElement, setName } from "../core/element.js";
import { router } from "../core/router.js";
import { slowly } from "../core/slowly.js";
import { clock } from "../core/texts.js";
import "../core/button.js";
import "../core/choice.js";
import "../core/meter.js";

const STATES = {
  stopped: "stopped", prepared: "ready", recording: "records", paused: "paused", interrupted: "interrupted", waiting: "waits for its device",
};

class Recorder extends PageElement {
  #address = "";

  build() {
    const id = this.getAttribute("recorder");
    this.#address = `/recorder/${id}`;
    this.classList.add("panel");
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", `Recorder ${id}`);
    this.light = h("span", { class: "light", "aria-hidden": "true" });
    this.state = h("span", { class: "state", role: "status" });
    this.time = h("span", { class: "time", role: "timer", "aria-label": `Time of ${clean(id)}` });
    this.source = h("bdi", {});
    this.file = h("bdi", {});
    this.lost = h("p", { class: "bad", hidden: true });
    const button = (leaf, label) => h("mr-button", { class: leaf, address: `${this.#address}/${leaf}`, label, name: `${label}: ${id}` });
    this.record = button("record", "Record");
    this.pause = button("pause", "Pause");
    const format = h("mr-choice", { address: `${this.#address}/format`, label: "Format", name: `Format of ${id}` });
    format.options = { wav: "WAV", flac: "FLAC", opus: "Opus" };
    const removal = h("mr-button", { address: "/recorder/remove", hold: true, label: "Remove the recorder", name: `Remove the recorder ${id}` });
    removal.values = () => [id];
    this.append(
      h("div", { class: "head" }, h("h2", {}, h("bdi", {}, clean(id))), this.light, this.state),
      h("div", { class: "body" }, h("mr-meter", { address: `${this.#address}/peak`, name: id, plain: true }),
        h("div", { class: "facts" }, this.time, h("p", {}, h("span", { class: "quiet" }, "From "), this.source),
          h("p", {}, h("span", { class: "quiet" }, "File "), this.file), this.lost)),
      h("div", { class: "transport" }, this.record, this.pause, button("stop", "Stop")), format,
      h("div", { class: "buttons" }, removal));
  }

  connect() {
    const value = (leaf, otherwise = "") => router.value(`${this.#address}/${leaf}`, otherwise);
    const show = () => {
      const state = value("state", "stopped");
      this.dataset.state = state;
      this.state.textContent = STATES[state] ?? clean(state);
      this.record.classList.toggle("on", state === "recording");
      this.pause.classList.toggle("on", state === "paused");
      setName(this.source, value("source"));
      setName(this.file, value("file/now") || "none yet");
      this.lost.hidden = !(value("lost", 0) > 0);
      this.lost.textContent = `${value("lost", 0).toFixed(1)} s are silent in the file, because the disk was too slow.`;
    };
    for (const leaf of ["state", "source", "file/now", "lost"]) this.watch(`${this.#address}/${leaf}`, show);
    this.watch(`${this.#address}/time`, (seconds = 0) => slowly(this, () => (this.time.textContent = clock(seconds))));
    this.time.textContent = clock(value("time", 0));
    show();
  }
}

customElements.define("mr-recorder", Recorder);
