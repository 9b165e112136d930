// The router's health: a sentence, a lamp for each alarm, and the facts of the server: <mr-health>.

import { clean, h, PageElement } from "../core/element.js";
import { router } from "../core/router.js";
import { openSheet } from "../core/sheet.js";
import "../core/switch.js";

class Health extends PageElement {
  build() {
    this.state = h("p", { class: "health-state", role: "status" });
    this.lamps = h("div", { class: "lamps" });
    this.server = h("p", { class: "quiet" });
    this.append(this.state, this.lamps, this.server);
  }

  connect() {
    this.subscribe("/health/state");
    this.subscribe("/health/*/{on,silenced}");
    this.watch("/health/state", (sentence) => {
      this.state.textContent = sentence === "ok" ? "All is well." : clean(sentence);
      this.state.classList.toggle("bad", sentence !== "ok");
    });
    const read = () => this.#read();
    router.addEventListener("right", read);
    this.until(() => router.removeEventListener("right", read));
    read();
  }

  /** The alarms are those that the router has, in its order. */
  async #read() {
    try {
      const [[list], [info]] = await Promise.all([router.ask("/system/list", "/health"), router.ask("/system/info")]);
      this.#fill(list.slice(1), info);
    } catch {
      // The connection was lost: the next one reads again.
    }
  }

  #fill(leaves, info) {
    const facts = new Map();
    for (let index = 0; index + 1 < info.length; index += 2) facts.set(info[index], info[index + 1]);
    this.server.textContent = clean(
      `${facts.get("jack")}: ${facts.get("rate")} Hz, periods of ${facts.get("period")} frames, router ${facts.get("version")}.`);
    this.lamps.replaceChildren(...leaves.map((rule) => h("mr-alarm", { rule, hidden: true })));
  }
}

/** The lamp of one alarm; a tap tells what it means and what to do. What is no alarm, but a measured value, has no lamp. */
class Alarm extends PageElement {
  build() {
    const rule = this.getAttribute("rule");
    this.word = h("span", {}, rule);
    this.lamp = h("button", { type: "button", class: "lamp", onclick: () => this.#open() }, h("span", { class: "light", "aria-hidden": "true" }), this.word);
    this.append(this.lamp);
  }

  connect() {
    const address = `/health/${this.getAttribute("rule")}`;
    const show = () => {
      this.hidden = router.value(`${address}/on`) === undefined;
      const isOn = router.value(`${address}/on`) === 1;
      const isSilenced = router.value(`${address}/silenced`) === 1;
      this.lamp.dataset.state = isSilenced ? "off" : isOn ? "alarm" : "heard";
      this.lamp.setAttribute("aria-label", `${this.getAttribute("rule")}: ${isOn ? "alarm" : "well"}${isSilenced ? ", silenced" : ""}`);
      this.word.textContent = `${this.getAttribute("rule")}${isSilenced ? " (silenced)" : ""}`;
    };
    for (const leaf of ["on", "silenced"]) this.watch(`${address}/${leaf}`, show);
    show();
  }

  async #open() {
    const rule = this.getAttribute("rule");
    const [meaning, sentence] = [h("p", { class: "quiet" }, "…"), h("p", {})];
    openSheet(`Alarm: ${rule}`, meaning, sentence,
      h("mr-switch", { address: `/health/${rule}/silenced`, label: "Silenced", name: `Silence the alarm ${rule}` }));
    try {
      const [[description], rows] = await Promise.all([router.ask("/system/describe", `/health/${rule}/on`), router.list("/health/list")]);
      const row = rows.find(([other]) => other === rule);
      meaning.textContent = `It is on when: ${clean(description.at(-1))}`;
      sentence.textContent = row ? clean(row[3]) : "It is off.";
      sentence.className = row ? "bad" : "";
    } catch ({ message }) {
      sentence.textContent = clean(message);
    }
  }
}

customElements.define("mr-health", Health);
customElements.define("mr-alarm", Alarm);
