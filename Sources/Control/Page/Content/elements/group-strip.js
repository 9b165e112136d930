// The strip of a group: <mr-group-strip subject="/group/drums">.

import { h } from "../core/element.js";
import { Strip } from "./strip.js";

class GroupStrip extends Strip {
  build() {
    const address = this.subject;
    this.state = this.lamp(() => this.#facts());
    this.parts({ kind: "group", lamp: this.state, meter: `/meter${address}`, last: this.soloAndMute() });
  }

  connect() {
    const address = this.subject;
    this.watchName();
    this.watch(`${address}/mute`, (isMuted) => this.light(this.state, isMuted === 1 ? "silent" : "heard", isMuted === 1 ? "muted" : "open"));
  }

  open() {
    this.openSheet(this.name.textContent, ...this.#facts());
  }

  #facts() {
    const leaves = [["members", "Members"], ["max", "Highest level", "dB"], ["exclusive", "One at a time", "yes"]];
    return leaves.map(([leaf, label, unit]) => h("mr-fact", { address: `${this.subject}/${leaf}`, label, unit }));
  }
}

customElements.define("mr-group-strip", GroupStrip);
