// The strip of an output or an input: <mr-port-strip subject="/output/usb">.

import { h } from "../core/element.js";
import { router } from "../core/router.js";
import { inputControls, outputControls } from "./channel-controls.js";
import "./chain.js";
import "./mix-link.js";
import { resetButton } from "./output-meters.js";
import { Strip } from "./strip.js";

class PortStrip extends Strip {
  build() {
    const address = this.subject;
    this.state = this.lamp(() => ["reason", "desktop", "bridge"].map((leaf) =>
      h("mr-fact", { address: `${address}/${leaf}`, label: { reason: "Type", desktop: "Desktop", bridge: "Bridge" }[leaf] })));
    this.limiter = h("span", { class: "limiter" }, "limiter");
    this.delay = h("span", { class: "duck" });
    this.parts({
      kind: "", lamp: this.state, first: this.isOutput ? this.limiter : null, meter: `/meter${address}`, last: this.soloAndMute(),
    });
    this.level.after(this.delay, ...(this.isOutput ? [h("mr-output-meters", { subject: address, hidden: true })] : []));
  }

  get isOutput() {
    return this.subject.startsWith("/output/");
  }

  connect() {
    const address = this.subject;
    this.watchName();
    this.watch(`${address}/type`, (type) => (this.kind.textContent = type));
    for (const leaf of ["available", "plugged"]) {
      this.watch(`${address}/${leaf}`, () => {
        const isThere = router.value(`${address}/available`) === 1;
        const word = isThere ? "plugged" : router.value(`${address}/plugged`) === 0 ? "unplugged" : "away";
        this.light(this.state, isThere ? "plugged" : "away", word);
      });
    }
    this.watch(`${address}/limiting`, (isOn) => {
      this.limiter.classList.toggle("on", isOn === 1);
      this.limiter.textContent = isOn === 1 ? "limiting" : "limiter";
    });
    for (const leaf of ["delay", "dim"]) this.watch(`${address}/${leaf}`, () => this.#tell());
  }

  /** The delay, and whether the output is dimmed. */
  #tell() {
    const delay = router.value(`${this.subject}/delay`, 0);
    const words = [router.value(`${this.subject}/dim`) === 1 ? "dim" : "", delay > 0 ? `${(delay * 1000).toFixed(1)} ms` : ""];
    this.delay.textContent = words.filter(Boolean).join(" ");
  }

  open() {
    const leaves = this.isOutput
      ? [["delay", "Delay", "ms"], ["align", "Aligned with"], ["align/delay", "Alignment", "ms"], ["latency", "Latency", "ms"], ["ceiling", "Limiter's ceiling", "dB"], ["duck/limit", "Ducked at most to", "dB"]]
      : [["source", "Source"], ["sources", "Sources"], ["hardware", "Muted in hardware", "yes"], ["echo", "Hears"]];
    const all = [["channels", "Channels"], ["max", "Highest level", "dB"], ...leaves, ["reason", "Type"], ["desktop", "Desktop"], ["bridge", "Bridge"]];
    const facts = all.map(([leaf, label, unit]) => h("mr-fact", { address: `${this.subject}/${leaf}`, label, unit }));
    const links = this.isOutput && router.right === "admin" ? [h("mr-mix-links", { output: this.subject.split("/").at(-1) })] : [];
    const controls = this.isOutput ? outputControls(this.subject) : inputControls(this.subject);
    const meters = this.isOutput ? resetButton(this.subject) : [];
    this.openSheet(this.name.textContent, ...controls, h("mr-chain", { subject: this.subject }), ...meters, ...facts, ...links);
  }
}

customElements.define("mr-port-strip", PortStrip);
