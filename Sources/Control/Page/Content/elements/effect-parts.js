// The meters and controls of an effect, as the router's tree describes them: <mr-effect-parts address="/output/usb/effect/1">.

import "../core/button.js";
import "../core/choice.js";
import { clean, h, PageElement, setName } from "../core/element.js";
import "../core/fader.js";
import { router } from "../core/router.js";
import { slowly } from "../core/slowly.js";
import "../core/switch.js";

/** Units by the names of OSCQuery. Others are as the plugin writes them. */
const UNITS = { "gain.db": "dB", "gain.db-raw": "dBFS", "time.second": "s", "time.ms": "ms", "time.hz": "Hz" };
/** Where meters of levels begin, in dB. */
const FLOOR = -60;

class EffectParts extends PageElement {
  #shown = "";

  get #address() {
    return this.getAttribute("address");
  }

  connect() {
    this.#shown = "";
    this.subscribe(`${this.#address}/control/*`);
    this.subscribe(`${this.#address}/control/*/{fader,text,range}`);
    this.subscribe(`${this.#address}/meter/*`);
    for (const leaf of ["plugin", "state"]) this.watch(`${this.#address}/${leaf}`, () => this.#fill());
  }

  /** Another plugin has other controls, and one that is not loaded has none. */
  async #fill() {
    const shown = ["plugin", "state"].map((leaf) => router.value(`${this.#address}/${leaf}`)).join(" ");
    if (shown === this.#shown) return;
    this.#shown = shown;
    try {
      const { meter, control } = (await router.tree(this.#address)).CONTENTS;
      if (shown !== this.#shown) return;
      const nodes = (part) => Object.values(part?.CONTENTS ?? {});
      this.replaceChildren(...nodes(meter).map((node) => h("mr-effect-meter", { address: node.FULL_PATH }).of(node)), ...nodes(control).map(partOf));
    } catch {
      // The effect has gone, or the connection was lost: the next state is shown again.
      this.#shown = "";
    }
  }
}

/** The control of a node of the tree. */
function partOf({ FULL_PATH: address, DESCRIPTION, TAGS = [] }) {
  const label = clean(DESCRIPTION);
  if (TAGS.includes("toggle")) return h("mr-switch", { address, label, name: label });
  if (TAGS.includes("choice")) return h("mr-effect-choice", { address, label });
  return h("mr-effect-control", { address, label });
}

/** A choice by its names, which stand in `ADDRESS/range` as `0=Peak 1=RMS`. */
class EffectChoice extends PageElement {
  build() {
    const [address, label] = ["address", "label"].map((key) => this.getAttribute(key));
    this.append((this.choice = h("mr-choice", { address, label })));
  }

  connect() {
    this.watch(`${this.getAttribute("address")}/range`, (text) => {
      const names = String(text).matchAll(/(?:^| )(-?[0-9.]+)=(.*?)(?= -?[0-9.]+=|$)/g);
      this.choice.offer(Object.fromEntries([...names].map(([, value, name]) => [value, name])));
    });
  }
}

/** A control with a fader, and the button that resets it. */
class EffectControl extends PageElement {
  build() {
    const [address, label] = ["address", "label"].map((key) => this.getAttribute(key));
    const title = h("bdi", { class: "name" });
    setName(title, label);
    const level = h("span", { class: "level" });
    this.append(h("span", { class: "head" }, title, level),
      h("mr-fader", { address, name: label, flat: true, control: true, onlevel: (event) => (level.textContent = event.detail) }),
      h("mr-button", { address: `${address}/reset`, label: "↺", name: `Reset ${label}` }));
  }
}

/** What a plugin shows, such as its gain reduction: a bar, and the value. */
class EffectMeter extends PageElement {
  #node = {};

  /** The node of the tree that describes it. */
  of(node) {
    this.#node = node;
    return this;
  }

  build() {
    const title = h("bdi", { class: "name" });
    setName(title, this.#node.DESCRIPTION);
    this.bar = h("span", { class: "cover" });
    this.value = h("span", { class: "level" });
    this.append(h("span", { class: "head" }, title, this.value), h("span", { class: "bar" }, this.bar));
    this.setAttribute("role", "meter");
    this.setAttribute("aria-label", clean(this.#node.DESCRIPTION));
  }

  connect() {
    const [unit] = this.#node.UNIT ?? [""];
    // Factors read as levels.
    const isFactor = unit === "G";
    const { MIN, MAX } = isFactor ? { MIN: FLOOR, MAX: 0 } : this.#node.RANGE[0];
    this.setAttribute("aria-valuemin", MIN);
    this.setAttribute("aria-valuemax", MAX);
    this.watch(this.getAttribute("address"), (value = isFactor ? 0 : MIN) => {
      const level = isFactor ? 20 * Math.log10(Math.max(value, 1e-6)) : value;
      this.bar.style.transform = `scaleX(${Math.min(1, Math.max(0, (level - MIN) / (MAX - MIN)))})`;
      slowly(this, () => {
        this.value.textContent = isFactor && value <= 1e-6 ? "off" : `${level.toFixed(1)} ${isFactor ? "dB" : (UNITS[unit] ?? clean(unit))}`;
        this.setAttribute("aria-valuenow", Math.min(MAX, Math.max(MIN, level)).toFixed(1));
        this.setAttribute("aria-valuetext", this.value.textContent);
      });
    });
  }
}

customElements.define("mr-effect-parts", EffectParts);
customElements.define("mr-effect-choice", EffectChoice);
customElements.define("mr-effect-control", EffectControl);
customElements.define("mr-effect-meter", EffectMeter);
