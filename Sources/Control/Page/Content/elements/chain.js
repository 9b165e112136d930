// The effects that sound goes through: <mr-chain subject="/output/usb">. It has an effect for each of `SUBJECT/effects`. Many chains on one sheet
// share the subscriptions to `all`, a pattern of their subjects, because the router allows each page 64.

import "../core/button.js";
import "../core/choice.js";
import { clean, h, PageElement, setName } from "../core/element.js";
import { router } from "../core/router.js";
import "../core/switch.js";
import "./effect-parts.js";

class Chain extends PageElement {
  get #subject() {
    return this.getAttribute("subject");
  }

  build() {
    const id = this.#subject.split("/").at(-1);
    this.effects = h("div", { class: "effects" });
    this.append(h("h3", {}, "Effects"), h("mr-switch", { address: "/effects/bypass", label: "Bypass all effects", name: "Bypass all effects of the router" }));
    if (this.#subject.startsWith("/output/")) {
      const fallback = h("mr-choice", { address: `${this.#subject}/effects/fallback`, label: "If one fails", name: `If an effect of ${id} fails` });
      fallback.options = { dry: "sound without it", mute: "silence" };
      this.append(fallback);
    }
    this.append(this.effects);
    this.hidden = true;
  }

  connect() {
    this.subscribe("/effects/bypass");
    const all = this.getAttribute("all") ?? this.#subject;
    this.subscribe(`${all}/effects`);
    if (this.#subject.startsWith("/output/")) this.subscribe(`${this.#subject}/effects/fallback`);
    this.subscribe(`${all}/effect/*/{plugin,preset,presets,on,state,why}`);
    this.watch(`${this.#subject}/effects`, (_, effects) => this.#fill(effects.filter((effect) => effect !== "none").length));
  }

  /** Effects that stay are not touched, so that a finger on one of them never loses it. */
  #fill(count) {
    this.hidden = count === 0;
    while (this.effects.childElementCount > count) this.effects.lastChild.remove();
    while (this.effects.childElementCount < count) {
      this.effects.append(h("mr-effect", { address: `${this.#subject}/effect/${this.effects.childElementCount + 1}`, class: "card" }));
    }
  }
}

/** An effect of a chain: what it is, whether it works, and when it is opened its meters and controls. */
class Effect extends PageElement {
  get #address() {
    return this.getAttribute("address");
  }

  build() {
    this.name = h("bdi", { class: "name" });
    this.onSwitch = h("mr-switch", { address: `${this.#address}/on`, label: "On", name: `Effect ${this.#address.split("/").at(-1)} on` });
    this.note = h("span", { class: "note", role: "status" });
    this.retry = h("mr-button", { address: "/effects/retry", label: "Try again", name: "Try all faulty effects again", hidden: true });
    this.preset = h("mr-choice", { address: `${this.#address}/preset`, label: "Preset", name: "Preset of the effect", hidden: true });
    this.all = h("details", { ontoggle: () => this.#open() }, h("summary", {}, "Controls"));
    this.append(h("div", { class: "head" }, this.name, this.onSwitch), this.note, this.retry, this.preset, this.all);
  }

  connect() {
    const address = this.#address;
    this.watch(`${address}/plugin`, (plugin = "") => {
      setName(this.name, String(plugin).split(/[/#]/).filter(Boolean).at(-1));
      this.setAttribute("aria-label", `Effect ${this.name.textContent}`);
    });
    this.watch(`${address}/presets`, (_, presets) => {
      const names = presets.filter((name) => name !== "none");
      this.preset.hidden = names.length === 0;
      this.preset.offer(Object.fromEntries(["none", ...names].map((name) => [name, name])));
    });
    const chain = address.replace(/\/effect\/[0-9]+$/, "/effects");
    for (const leaf of [`${address}/state`, `${address}/why`, `${chain}/fallback`, "/effects/bypass"]) this.watch(leaf, () => this.#say(`${chain}/fallback`));
  }

  /** What is heard of it, and why if that is not what was asked for. */
  #say(fallback) {
    const [state, why] = ["state", "why"].map((leaf) => router.value(`${this.#address}/${leaf}`, ""));
    const isSilent = router.value(fallback) === "mute";
    const isBypassed = router.value("/effects/bypass") === 1 && !isSilent;
    const heard = { loading: "loads", faulty: isSilent ? "silence" : "dry" }[state] ?? (isBypassed ? "bypassed" : "");
    this.dataset.state = state;
    this.note.textContent = clean([heard, why].filter(Boolean).join(": "));
    this.retry.hidden = state !== "faulty";
  }

  #open() {
    this.all.querySelector("mr-effect-parts")?.remove();
    if (this.all.open) this.all.append(h("mr-effect-parts", { address: this.#address }));
  }
}

customElements.define("mr-chain", Chain);
customElements.define("mr-effect", Effect);
