// What a desk does to channels: dim, mono, swap and balance of an output, trim of an input, polarity and width, and the pan of a send.

import { clean, h, PageElement, setName } from "../core/element.js";
import { router } from "../core/router.js";
import "../core/number.js";
import "../core/switch.js";

/** The answer of the router is awaited so long, in milliseconds. */
const ANSWER = 400;

/** One switch for each channel: <mr-polarity address="/input/line/polarity" channels="2" name="line">, or channels-at="/input/line/channels". */
class Polarity extends PageElement {
  /** The inverted channels that were asked for, until the router has answered: the next touch counts from them. */
  #asked = null;
  #timer = null;

  connect() {
    const at = this.getAttribute("channels-at");
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", `Polarity of ${this.getAttribute("name")}`);
    if (at) this.watch(at, (count) => this.#fill(count));
    else this.#fill(Number(this.getAttribute("channels")));
    this.watch(this.getAttribute("address"), () => this.#show());
    this.watchRight(() => this.#show());
  }

  get #inverted() {
    return router.values(this.getAttribute("address")).map(clean).filter((text) => text !== "none");
  }

  #fill(count) {
    const channels = Array.from({ length: count || 0 }, (_, index) => String(index + 1));
    this.replaceChildren(h("span", { class: "label" }, "Polarity"), ...channels.map((channel) => {
      const button = h("button", { type: "button", "data-channel": channel, "aria-label": `Invert channel ${channel}`, onclick: () => this.#toggle(channel) }, h("bdi", {}));
      setName(button.firstChild, `ø ${channel}`);
      return button;
    }));
    this.#show();
  }

  #show() {
    const inverted = this.#inverted;
    for (const button of this.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(inverted.includes(button.dataset.channel)));
      button.disabled = !router.mayControl;
    }
  }

  #toggle(channel) {
    const before = this.#asked ?? this.#inverted;
    this.#asked = before.includes(channel) ? before.filter((other) => other !== channel) : [...before, channel];
    router.send(this.getAttribute("address"), ...(this.#asked.length > 0 ? this.#asked : ["none"]));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.#asked = null), ANSWER);
  }
}

customElements.define("mr-polarity", Polarity);

function number(address, leaf, label, unit, min, max, step) {
  return h("mr-number", { address: `${address}/${leaf}`, label, unit, min, max, step });
}

function polarity(address, name) {
  return h("mr-polarity", { address: `${address}/polarity`, "channels-at": `${address}/channels`, name });
}

/** The controls of an output's monitor section. */
export function outputControls(address) {
  const id = address.split("/").at(-1);
  const toggle = (leaf, label) => h("mr-switch", { address: `${address}/${leaf}`, label, name: `${label} ${id}` });
  return [
    h("div", { class: "channel-switches" }, toggle("dim", "Dim"), toggle("mono", "Mono"), toggle("swap", "Swap")),
    number(address, "dim/level", "Dimmed to", "dB", -60, 0, 1), number(address, "balance", "Balance", "", -1, 1, 0.05), polarity(address, id),
  ];
}

/** The controls of one send: whether its output hears it alone, and where it stands between two channels. */
export function sendControls(address, name) {
  return h("div", { class: "channel-switches" },
    h("mr-switch", { address: `${address}/solo`, label: "Solo", name: `Solo ${name}` }), number(address, "pan", "Pan", "", -1, 1, 0.1));
}

/** What is done to the channels of a stream, which is there once it is opened. */
export function streamControls(session, stream) {
  const address = `/session/${session}/stream/${stream}`;
  const fill = async () => {
    if (!all.open || all.childElementCount > 1) return;
    try {
      const rows = await router.list(`/session/${session}/stream/list`);
      const channels = rows.find(([id]) => id === stream)?.[1] ?? 0;
      if (channels <= 2) all.append(number(address, "pan", "Pan", "", -1, 1, 0.1));
      if (channels === 2) all.append(number(address, "width", "Width", "", 0, 2, 0.1));
      all.append(h("mr-polarity", { address: `${address}/polarity`, channels, name: stream }));
    } catch {
      // The connection was lost, or the stream went: closed, it can be opened again.
      all.open = false;
    }
  };
  const all = h("details", { ontoggle: fill }, h("summary", {}, "Channels"));
  return all;
}

/** The controls of an input's channels. */
export function inputControls(address) {
  return [
    number(address, "trim", "Trim", "dB", -18, 18, 0.5), number(address, "width", "Width", "", 0, 2, 0.1),
    polarity(address, address.split("/").at(-1)),
  ];
}
