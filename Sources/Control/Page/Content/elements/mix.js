// My mix: what a musician hears at one output, /mix/OUTPUT#TOKEN. The token behind # gives the right to these sends and this output alone.

import { colour, h, keep, PageElement, setName } from "../core/element.js";
import { prefer, preferences } from "../core/preferences.js";
import { router } from "../core/router.js";
import "../core/meter.js";
import "../core/row.js";
import { sendControls } from "./channel-controls.js";

/** The output of this page; nothing on the page of the whole desk. */
export const mixOutput = /^\/mix\/([A-Za-z0-9_-]+)\/?$/.exec(location.pathname)?.[1] ?? "";

/** What the phone sets of the sends into it. */
const SENDS = `/session/*/stream/*/to/${mixOutput}/{on,fader,pan,solo}`;
/** How far one press moves a fader, as a part of its travel. */
const STEP = 0.02;
/** A stream or send that comes or goes has no event for this client. */
const LOOK_AGAIN = 5_000;

class Mix extends PageElement {
  /** The streams as `session/stream`. */
  #streams = [];
  #isReading = false;

  build() {
    this.name = h("bdi", {}, mixOutput);
    this.muted = h("span", { class: "note" });
    const address = `/output/${mixOutput}`;
    this.level = h("span", { class: "level" });
    const fader = h("mr-fader", { address, name: `Level of ${mixOutput}`, flat: true, onlevel: (event) => (this.level.textContent = event.detail) });
    this.choice = h("select", { "aria-label": "Which one is me", onchange: () => this.#choose(this.choice.value) });
    this.more = h("button", { type: "button", class: "more", onclick: () => this.#more(1) }, "More of me");
    this.less = h("button", { type: "button", class: "less", onclick: () => this.#more(-1) }, "Less");
    this.sends = h("div", { class: "sends" });
    this.none = h("p", { class: "empty", hidden: true }, "Nothing can be sent here yet.");
    this.append(
      h("section", { class: "card own-output", "aria-label": "My output" },
        h("span", { class: "head" }, this.name, this.muted, this.level), fader, h("mr-meter", { address: `/meter${address}`, name: mixOutput })),
      h("section", { class: "card me", "aria-label": "More of me" }, this.choice, this.more, this.less),
      this.sends, this.none);
  }

  connect() {
    const output = `/output/${mixOutput}`;
    this.subscribe("/session/*/{name,color,category}");
    this.subscribe(SENDS);
    this.subscribe(`${output}/{name,fader,max,mute,available,channels}`);
    this.subscribe("/meter/stream/*/*");
    this.subscribe(`/meter/output/${mixOutput}`);
    this.watch(`${output}/name`, (name) => setName(this.name, name || mixOutput));
    for (const leaf of ["mute", "available"]) {
      this.watch(`${output}/${leaf}`, () => {
        const isAway = router.value(`${output}/available`, 1) === 0;
        this.muted.textContent = isAway ? "away: waits for its device" : router.value(`${output}/mute`) === 1 ? "muted at the desk" : "";
      });
    }
    this.watch(`${output}/channels`, (count) => this.classList.toggle("mono", count === 1));
    this.watchRight(() => {
      for (const control of [this.more, this.less]) control.disabled = !router.mayControl;
      this.#read();
    });
    const again = setInterval(() => this.#read(), LOOK_AGAIN);
    this.until(() => clearInterval(again));
  }

  // MARK: Sends

  async #read() {
    if (this.#isReading || !router.mayView || document.hidden) return;
    this.#isReading = true;
    try {
      const found = [];
      for (const [session, , category] of await router.list("/session/list")) {
        // Only these sessions have sends.
        if (category !== "multiRoute") continue;
        for (const [stream] of await router.list(`/session/${session}/stream/list`)) found.push(`${session}/${stream}`);
      }
      this.#become(found);
      router.refresh(SENDS);
    } catch {
      // The connection or the right was lost, or a session went meanwhile: the next reading tells.
    }
    this.#isReading = false;
  }

  #become(found) {
    this.none.hidden = found.length > 0;
    if (found.join() === this.#streams.join() && this.choice.options.length > 0) return;
    this.#streams = found;
    keep(this.sends, found, (key) => this.#card(key));
    const me = preferences.me ?? "";
    this.choice.replaceChildren(h("option", { value: "" }, "Which one are you?"),
      ...found.map((key) => h("option", { value: key, selected: key === me }, label(key))));
    this.#mark();
  }

  #card(key) {
    const [session, stream] = key.split("/");
    const row = h("mr-row", { address: sendOf(key), title: label(key), name: label(key) });
    const card = h("section", { class: "card send", "data-stream": key, "aria-label": label(key) },
      row, h("mr-meter", { address: `/meter/stream/${key}`, name: label(key) }), sendControls(sendOf(key), label(key)));
    this.watch(`/session/${session}/color`, (text) => card.style.setProperty("--colour", colour(text) || "transparent"));
    return card;
  }

  // MARK: Me

  #choose(key) {
    prefer("me", key);
    this.#mark();
  }

  #mark() {
    for (const card of this.sends.children) card.classList.toggle("mine", card.dataset.stream === this.choice.value);
  }

  /** Raises or lowers mine; when it is as high as the router lets it go, lowers all others. */
  async #more(direction) {
    const mine = this.choice.value;
    if (!mine) return this.choice.focus();
    if (direction > 0 && router.value(`${sendOf(mine)}/on`, 0) !== 1) return router.send(`${sendOf(mine)}/on`, 1);
    try {
      await router.ask(`${sendOf(mine)}/fader/inc`, direction * STEP);
    } catch {
      if (direction < 0) return;
      for (const key of this.#streams) {
        if (key !== mine && router.value(`${sendOf(key)}/on`) === 1) router.send(`${sendOf(key)}/fader/inc`, -STEP);
      }
    }
  }
}

function sendOf(key) {
  const [session, stream] = key.split("/");
  return `/session/${session}/stream/${stream}/to/${mixOutput}`;
}

function label(key) {
  const [session, stream] = key.split("/");
  return stream === "main" ? session : `${session} ${stream}`;
}

customElements.define("mr-mix", Mix);
