// A meter: <mr-meter address="/meter/session/show" name="Show">, with peak hold and a lamp for clipping, which a touch resets. Levels are
// in dBFS per channel; the scale goes from -60 to 0. It costs no layout: only transforms change. With `plain` it has no lamp.

import { clean, h, PageElement } from "./element.js";
import { router } from "./router.js";
import { slowly } from "./slowly.js";

const FLOOR = -60;
/** How long a peak is held, in milliseconds. */
const HOLD = 1_500;

class Meter extends PageElement {
  #bars = [];
  #timer = null;
  #levels = [];

  build() {
    const address = this.getAttribute("address");
    this.scale = h("span", { class: "bars", role: "meter", "aria-valuemin": FLOOR, "aria-valuemax": 0, "aria-valuenow": FLOOR });
    this.clip = h("button", { class: "clip", type: "button", onclick: () => router.send(`${address}/clip/reset`) });
    this.append(...(this.hasAttribute("plain") ? [] : [this.clip]), this.scale);
  }

  connect() {
    const address = this.getAttribute("address");
    const name = clean(this.getAttribute("name"));
    this.scale.setAttribute("aria-label", `Level at ${name}`);
    this.watch(address, (_, levels) => this.#show(levels.length > 0 ? levels : this.#levels.map(() => FLOOR)));
    this.watch(`${address}/clip`, (isOn) => {
      this.clip.classList.toggle("on", isOn === 1);
      this.clip.setAttribute("aria-label", isOn === 1 ? `${name} has clipped: reset` : `${name} has not clipped`);
    });
    this.clip.setAttribute("aria-label", `${name} has not clipped`);
    this.until(() => clearTimeout(this.#timer));
  }

  #show(levels) {
    this.#levels = levels;
    if (levels.length !== this.#bars.length) this.#divide(levels.length);
    const now = performance.now();
    let most = FLOOR;
    levels.forEach((level, index) => {
      const bar = this.#bars[index];
      const part = Math.min(1, Math.max(0, 1 - level / FLOOR));
      if (part !== bar.part) {
        bar.part = part;
        bar.cover.style.transform = `scaleY(${1 - part})`;
      }
      if (part >= bar.peak || now - bar.peakAt > HOLD) {
        bar.peakAt = now;
        if (part !== bar.peak) {
          bar.peak = part;
          bar.hold.style.transform = `translateY(${(1 - part) * 100}%)`;
        }
      }
      most = Math.max(most, level);
    });
    // Levels that stay are not told again, and a peak falls all the same.
    clearTimeout(this.#timer);
    if (this.#bars.some((bar) => bar.peak > bar.part)) this.#timer = setTimeout(() => this.#show(this.#levels), HOLD + 50);
    slowly(this, () => {
      this.scale.setAttribute("aria-valuenow", Math.max(FLOOR, most).toFixed(0));
      this.scale.setAttribute("aria-valuetext", most <= FLOOR ? "silent" : `${most.toFixed(0)} dBFS`);
    });
  }

  #divide(count) {
    this.scale.replaceChildren();
    this.#bars = Array.from({ length: Math.min(count, 8) }, () => {
      const bar = { cover: h("span", { class: "cover" }), hold: h("span", { class: "hold" }), part: 0, peak: 0, peakAt: 0 };
      this.scale.append(h("span", { class: "bar" }, bar.cover, bar.hold));
      return bar;
    });
  }
}

customElements.define("mr-meter", Meter);
