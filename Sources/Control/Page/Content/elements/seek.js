// The place in what a player plays: <mr-seek player="walkin">. A finger shows where it would go, and the player goes there when the finger
// leaves; until then nothing moves the bar under the finger. Arrows go by five seconds, with Shift by one; Page keys by thirty.

import { clean, h, PageElement } from "../core/element.js";
import { router } from "../core/router.js";
import { slowly } from "../core/slowly.js";
import { clock } from "../core/texts.js";

/** After a place was asked for, it is shown until the router has answered, but at most so long, in milliseconds. */
const ANSWER = 1_000;
/** So near to the place that was asked for, in seconds, the router's answer is that place. */
const NEAR = 2;

class Seek extends PageElement {
  #address = "";
  /** The finger: its pointer and the seconds under it. */
  #finger = null;
  /** What was asked for last, and when. */
  #asked = null;

  build() {
    this.#address = `/player/${this.getAttribute("player")}`;
    this.thumb = h("span", { class: "thumb" });
    this.travel = h("span", { class: "travel" }, this.thumb);
    this.bar = h("div", { class: "bar", role: "slider", tabindex: 0, "aria-label": `Place of ${clean(this.getAttribute("player"))}`, "aria-valuemin": 0 }, this.travel);
    this.now = h("span", { class: "now" });
    this.length = h("span", { class: "length" });
    this.append(this.bar, h("div", { class: "times", "aria-hidden": "true" }, this.now, this.length));
    for (const type of ["pointerdown", "pointermove", "pointerup", "pointercancel", "lostpointercapture", "keydown"]) {
      this.bar.addEventListener(type, (event) => this[`on_${type}`](event));
    }
    this.bar.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  connect() {
    for (const leaf of ["position", "duration"]) this.watch(`${this.#address}/${leaf}`, () => this.#show());
    this.watchRight(() => {
      if (!router.mayControl) this.#drop();
      this.#show();
    });
    this.until(() => this.#drop());
  }

  get #duration() {
    return router.value(`${this.#address}/duration`, 0);
  }

  get #isFree() {
    return router.mayControl && this.#duration > 0;
  }

  /** The seconds to show: under the finger, as asked for, or the router's. */
  get #place() {
    const place = router.value(`${this.#address}/position`, 0);
    if (this.#finger) return this.#finger.seconds;
    if (this.#asked && (performance.now() - this.#asked.at > ANSWER || Math.abs(place - this.#asked.seconds) < NEAR)) this.#asked = null;
    return this.#asked ? this.#asked.seconds : place;
  }

  #show() {
    const [place, duration] = [this.#place, this.#duration];
    this.travel.style.transform = `translateX(${duration > 0 ? Math.min(1, place / duration) * 100 : 0}%)`;
    // What is under a finger is told at once.
    if (this.#finger) this.#say();
    else slowly(this, () => this.#say());
  }

  #say() {
    const [place, duration] = [this.#place, this.#duration];
    const length = duration > 0 ? clock(duration) : "length not known";
    this.now.textContent = `${this.#finger ? "to " : ""}${clock(place)}`;
    this.length.textContent = length;
    this.bar.setAttribute("aria-disabled", String(!this.#isFree));
    this.bar.setAttribute("aria-valuemax", Math.max(1, Math.round(duration)));
    this.bar.setAttribute("aria-valuenow", Math.round(place));
    this.bar.setAttribute("aria-valuetext", `${clock(place)} of ${length}`);
  }

  #go(seconds) {
    this.#asked = { seconds: Math.min(this.#duration, Math.max(0, seconds)), at: performance.now() };
    router.send(`${this.#address}/position`, this.#asked.seconds);
    this.#show();
    setTimeout(() => this.#show(), ANSWER + 50);
  }

  #under(event) {
    const { left, width } = this.bar.getBoundingClientRect();
    return this.#duration * Math.min(1, Math.max(0, (event.clientX - left - 22) / Math.max(1, width - 44)));
  }

  on_pointerdown(event) {
    if (this.#finger || event.button !== 0 || !this.#isFree) return;
    this.bar.setPointerCapture(event.pointerId);
    this.#finger = { id: event.pointerId, seconds: this.#under(event) };
    this.classList.add("touched");
    this.#show();
  }

  on_pointermove(event) {
    if (event.pointerId !== this.#finger?.id) return;
    this.#finger.seconds = this.#under(event);
    this.#show();
  }

  on_pointerup(event) {
    if (event.pointerId !== this.#finger?.id) return;
    const { seconds } = this.#finger;
    this.#drop();
    if (this.#isFree) this.#go(seconds);
  }

  on_pointercancel(event) {
    if (event.pointerId === this.#finger?.id) this.#drop();
  }

  on_lostpointercapture(event) {
    this.on_pointercancel(event);
  }

  /** Lets go of the finger, and goes nowhere. */
  #drop() {
    if (!this.#finger) return;
    this.#finger = null;
    this.classList.remove("touched");
    this.#show();
  }

  on_keydown(event) {
    const step = event.shiftKey ? 1 : 5;
    const steps = { ArrowRight: step, ArrowUp: step, ArrowLeft: -step, ArrowDown: -step, PageUp: 30, PageDown: -30 };
    if (event.key === "Escape") return this.#drop();
    if (event.ctrlKey || event.altKey || event.metaKey || !this.#isFree) return;
    if (event.key in steps) this.#go(this.#place + steps[event.key]);
    else if (event.key === "Home") this.#go(0);
    else if (event.key === "End") this.#go(this.#duration - step);
    else return;
    event.preventDefault();
  }
}

customElements.define("mr-seek", Seek);
