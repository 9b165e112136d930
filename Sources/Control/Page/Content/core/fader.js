// A fader: <mr-fader address="/session/show" name="Show">. It moves `ADDRESS/fader`, upright, or flat with the attribute `flat`. With `control` it
// is one of a plugin's control, which the router puts into words.
//
// It shows the router's value at all times, but for the fader under a finger: that one shows the finger, and the router sends it no feedback
// (/touch). A finger moves the fader by as much as it moves itself, so nothing jumps. Further to the side it moves finer.

import { clean, h, PageElement } from "./element.js";
import { fingers } from "./fingers.js";
import { foresight } from "./foresight.js";
import { decibels, levelText, MOST, OFF, place, ZERO } from "./level.js";
import { router } from "./router.js";
import { preferences } from "./preferences.js";
import { slowly } from "./slowly.js";

/** Half of the width of the detent at 0 dB, as a part of the travel. */
const DETENT = 0.01;
/** So far to the side, in pixels, a finger begins to move finer. */
const ASIDE = 48;
const DOUBLE_TAP = 350;
/** The router forgets a finger after ten seconds without a message. */
const TOUCH_AGAIN = 4_000;
/** After a finger has left, or a key was pressed, its place is shown until the router has answered, but at most so long. */
const ANSWER = 400;

/** How a level reads: the ends for screen readers, where two taps lead, and a place as a number and as people read it. */
const LEVEL = {
  ends: [OFF, MOST], home: ZERO,
  read: (place) => [decibels(place).toFixed(1), levelText(decibels(place))],
};

/** How a control of a plugin reads. Two taps reset it. */
const control = (address) => ({
  ends: [0, 100], home: null, read: (place) => [(place * 100).toFixed(0), clean(router.value(`${address}/text`, ""))],
});

class Fader extends PageElement {
  #address = "";
  #law = LEVEL;
  #place = 0;
  #most = 1;
  /** The finger: pointer, where it was, the place without the detent, and whether it has moved. */
  #finger = null;
  #sent = null;
  #sentAt = 0;
  #tappedAt = 0;
  #isSending = false;
  #isKnown = false;

  build() {
    this.#address = this.getAttribute("address");
    if (this.hasAttribute("control")) this.#law = control(this.#address);
    this.thumb = h("span", { class: "thumb" });
    this.cover = h("span", { class: "travel" }, this.thumb);
    this.append(h("span", { class: "zero", hidden: this.#law.home === null }), (this.limit = h("span", { class: "limit", hidden: true })), this.cover,
      (this.ghost = h("span", { class: "ghost", hidden: true })));
    this.setAttribute("role", "slider");
    this.tabIndex = 0;
    this.setAttribute("aria-orientation", this.isFlat ? "horizontal" : "vertical");
    this.setAttribute("aria-valuemin", this.#law.ends[0]);
    this.setAttribute("aria-valuemax", this.#law.ends[1]);
    this.#say();
    for (const type of ["pointerdown", "pointermove", "pointerup", "pointercancel", "lostpointercapture", "keydown", "wheel"]) {
      this.addEventListener(type, (event) => this[`on_${type}`](event), { passive: false });
    }
    // Without this a long press opens the browser's menu under the finger.
    this.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  get isFlat() {
    return this.hasAttribute("flat");
  }

  connect() {
    this.setAttribute("aria-label", clean(this.getAttribute("name")));
    this.watch(`${this.#address}/fader`, (value) => this.#take(value));
    if (this.#law === LEVEL) this.watch(`${this.#address}/max`, (level = MOST) => this.#bound(level));
    else this.watch(`${this.#address}/text`, () => this.#say());
    this.until(foresight.watch(() => this.#foresee()));
    this.until(fingers.watch(() => this.#see(fingers.on(this.#address))));
    this.watchRight(() => {
      if (!router.mayControl) this.#drop();
      this.#enable();
    });
  }

  disconnectedCallback() {
    this.#release();
    super.disconnectedCallback();
  }

  /** Whether it can be moved: a send that was never made has no level. */
  get #isFree() {
    return router.mayControl && this.#isKnown;
  }

  #enable() {
    this.setAttribute("aria-disabled", String(!this.#isFree));
  }

  // MARK: What the router says

  /** Takes a value, or that there is none any more. */
  #take(value) {
    if (this.#finger) return;
    if (value === undefined) return this.#rest();
    // The answer to an earlier step must not take back a later one.
    if (this.#sent !== null && Math.abs(value - this.#sent) < 1e-5) this.#sent = null;
    this.#show(value);
  }

  #bound(level) {
    this.#most = level >= MOST ? 1 : place(level);
    this.limit.hidden = this.#most >= 1;
    this.limit.style.transform = this.#shift(this.#most);
  }

  /** A mark where the recall that a person looks at beforehand would put the fader. */
  #foresee() {
    const level = foresight.level(this.#address);
    this.ghost.hidden = level === null;
    if (level !== null) this.ghost.style.transform = this.#shift(place(level));
    this.#say();
  }

  /** Shows who else has a finger on it. */
  #see(others) {
    if (others === (this.dataset.others ?? "")) return;
    if (others) this.dataset.others = others;
    else delete this.dataset.others;
    this.#say();
  }

  // The travel is as long as the fader without its thumb, and moves by parts of its own length: no size is ever read.
  #shift(value) {
    return this.isFlat ? `translateX(${value * 100}%)` : `translateY(${-value * 100}%)`;
  }

  #show(value) {
    if (value === this.#place && this.#isKnown) return;
    this.#place = value;
    const isFirst = !this.#isKnown;
    this.#isKnown = true;
    if (isFirst) this.#enable();
    this.#draw();
    if (isFirst || this.#finger) this.#say();
    else slowly(this, () => this.#say());
  }

  /** Stands as before the first value. */
  #rest() {
    [this.#place, this.#isKnown, this.#sent] = [0, false, null];
    this.#enable();
    this.#draw();
    this.#say();
  }

  #draw() {
    this.cover.style.transform = this.#shift(this.#place);
  }

  #say() {
    const [now, text] = this.#isKnown ? this.#law.read(this.#place) : [this.#law.ends[0], ""];
    this.setAttribute("aria-valuenow", now);
    const then = foresight.level(this.#address);
    const more = then === null ? "" : `, after ${foresight.preset} ${levelText(then)}`;
    const others = this.dataset.others ? `, held by ${this.dataset.others}` : "";
    this.setAttribute("aria-valuetext", (this.#isKnown ? text : "not known") + more + others);
    this.dispatchEvent(new CustomEvent("level", { detail: text }));
  }

  // MARK: What people do

  /** The place from which the next step counts: one that the router has not yet answered, or the router's. */
  get #base() {
    return this.#sent !== null && performance.now() - this.#sentAt < ANSWER ? this.#sent : this.#place;
  }

  #move(value) {
    this.#sent = Math.min(this.#most, Math.max(0, value));
    this.#sentAt = performance.now();
    if (this.#isSending) return;
    this.#isSending = true;
    // At most one message for each picture: the newest place wins.
    requestAnimationFrame(() => {
      this.#isSending = false;
      if (this.#sent !== null) router.send(`${this.#address}/fader`, this.#sent);
    });
  }

  /** Where two taps lead. */
  #goHome(place) {
    if (this.#law.home === null) router.send(`${this.#address}/reset`);
    else this.#move(place);
  }

  on_pointerdown(event) {
    if (this.#finger || event.button !== 0 || !this.#isFree) return;
    event.preventDefault();
    this.focus({ preventScroll: true });
    this.setPointerCapture(event.pointerId);
    router.send(`${this.#address}/fader/touch`, 1);
    const again = setInterval(() => router.send(`${this.#address}/fader/touch`, 1), TOUCH_AGAIN);
    const { width, height } = this.getBoundingClientRect();
    this.#finger = {
      id: event.pointerId, x: event.clientX, y: event.clientY, startX: event.clientX, startY: event.clientY,
      raw: this.#base, length: Math.max(1, (this.isFlat ? width : height) - 44), hasMoved: false, again,
    };
    this.classList.add("touched");
  }

  on_pointermove(event) {
    const finger = this.#finger;
    if (event.pointerId !== finger?.id) return;
    const along = this.isFlat ? event.clientX - finger.x : finger.y - event.clientY;
    const aside = Math.abs(this.isFlat ? event.clientY - finger.startY : event.clientX - finger.startX);
    const far = Math.abs(this.isFlat ? event.clientX - finger.startX : event.clientY - finger.startY);
    [finger.x, finger.y] = [event.clientX, event.clientY];
    // A tap of a thumb is never quite still.
    if (!finger.hasMoved && far < 4) return;
    finger.hasMoved = true;
    const fineness = 1 + Math.max(0, aside - ASIDE) / 24;
    finger.raw = Math.min(this.#most, Math.max(0, finger.raw + along / finger.length / fineness));
    const { home } = this.#law;
    const isAtHome = home !== null && Math.abs(finger.raw - home) < DETENT / fineness;
    this.#move(isAtHome ? home : finger.raw);
    this.#show(this.#sent);
  }

  on_pointerup(event) {
    if (event.pointerId !== this.#finger?.id) return;
    const wasTap = !this.#finger.hasMoved;
    const now = performance.now();
    if (wasTap && now - this.#tappedAt < DOUBLE_TAP) {
      this.#tappedAt = 0;
      this.#goHome(preferences.doubleTap === "off" ? 0 : ZERO);
    } else if (wasTap) {
      this.#tappedAt = now;
    }
    this.#release();
  }

  on_pointercancel(event) {
    if (event.pointerId === this.#finger?.id) this.#release();
  }

  on_lostpointercapture(event) {
    this.on_pointercancel(event);
  }

  /** The finger has left: what it said last is sent, then the router tells where the fader is. */
  #release() {
    if (!this.#finger) return;
    if (this.#isSending && this.#sent !== null) router.send(`${this.#address}/fader`, this.#sent);
    router.send(`${this.#address}/fader/touch`, 0);
    this.#drop();
    const shown = this.#place;
    setTimeout(() => {
      if (this.#place === shown) this.#take(router.value(`${this.#address}/fader`));
    }, ANSWER);
  }

  /** Lets go of the finger without a word, as when the connection is lost. */
  #drop() {
    if (!this.#finger) return;
    clearInterval(this.#finger.again);
    this.#finger = null;
    this.classList.remove("touched");
    if (!router.mayControl) this.#take(router.value(`${this.#address}/fader`));
  }

  on_keydown(event) {
    const step = event.shiftKey ? 0.0025 : 0.0125;
    const steps = {
      ArrowUp: step, ArrowRight: step, ArrowDown: -step, ArrowLeft: -step, PageUp: 0.075, PageDown: -0.075,
    };
    const places = { Home: 0, End: this.#most };
    const homes = { 0: ZERO, Delete: 0 };
    if (event.ctrlKey || event.altKey || event.metaKey || !this.#isFree) return;
    if (event.key in steps) this.#move(this.#base + steps[event.key]);
    else if (event.key in places) this.#move(places[event.key]);
    else if (event.key in homes) this.#goHome(homes[event.key]);
    else return;
    event.preventDefault();
  }

  // Only a fader that was chosen before: a page that is scrolled past a fader must not move it.
  on_wheel(event) {
    if (document.activeElement !== this || event.ctrlKey || !this.#isFree) return;
    event.preventDefault();
    const step = event.shiftKey ? 0.0025 : 0.0125;
    const direction = -Math.sign(event.deltaY || event.deltaX);
    this.#move(this.#base + direction * step);
  }
}

customElements.define("mr-fader", Fader);
