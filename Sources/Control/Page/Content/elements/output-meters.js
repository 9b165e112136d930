// The meters that an output asks for, as numbers: <mr-output-meters subject="/output/usb">.

import "../core/button.js";
import { clean, h, PageElement } from "../core/element.js";
import { router } from "../core/router.js";
import { slowly } from "../core/slowly.js";

/** The lines of each meter: the end of the address, a label, the unit, and how many decimals it has. */
const LINES = {
  ppm: [["ppm", "PPM", "dBFS", 1]],
  rms: [["rms", "RMS", "dBFS", 1]],
  loudness: [["loudness/momentary", "M", "LUFS", 1], ["loudness/short", "S", "LUFS", 1], ["loudness/integrated", "I", "LUFS", 1]],
  truePeak: [["truePeakMax", "TP", "dBTP", 1]],
  correlation: [["correlation", "r", "", 2]],
};
/** What silence reads as. */
const FLOOR = -160;

class OutputMeters extends PageElement {
  #lines = [];
  #watches = [];

  get #meter() {
    return `/meter${this.getAttribute("subject")}`;
  }

  connect() {
    this.watch(`${this.getAttribute("subject")}/meters`, (_, names) => this.#fill(names.map(clean)));
    this.until(() => this.#fill([]));
  }

  #fill(names) {
    for (const end of this.#watches) end();
    this.#lines = names.flatMap((name) => LINES[name] ?? []).map(([leaf, label, unit, decimals]) => {
      const value = h("span", { class: "value" });
      return { address: `${this.#meter}/${leaf}`, decimals, value, line: h("span", { class: "line", title: `${label} ${unit}` }, h("span", {}, label), value) };
    });
    this.replaceChildren(...this.#lines.map(({ line }) => line));
    this.hidden = this.#lines.length === 0;
    this.#watches = this.#lines.map(({ address }) => router.watch(address, () => slowly(this, () => this.#show())));
  }

  /** The loudest channel of each. */
  #show() {
    for (const { address, decimals, value } of this.#lines) {
      const levels = router.values(address);
      const most = Math.max(FLOOR, ...levels);
      value.textContent = levels.length === 0 || most === FLOOR ? "–" : most.toFixed(decimals);
    }
  }
}

customElements.define("mr-output-meters", OutputMeters);

/** The button that begins loudness anew, for an output that measures it or true peaks; nothing for others. */
export function resetButton(output) {
  const names = router.values(`${output}/meters`).map(clean);
  if (!names.includes("loudness") && !names.includes("truePeak")) return [];
  return [h("mr-button", { address: `/meter${output}/reset`, label: "Begin loudness anew", name: `Begin loudness of ${output.split("/").at(-1)} anew` })];
}
