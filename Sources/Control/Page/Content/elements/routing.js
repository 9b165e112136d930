// The picture of the routing, alive: what one looks at when nothing is heard. Boxes are buttons, and lines are as thick and as bright as the sound
// along them; a touch on either tells why it is silent.

import { clean, h, PageElement } from "../core/element.js";
import { levelText, OFF } from "../core/level.js";
import { model } from "../core/model.js";
import { router } from "../core/router.js";
import { openSheet } from "../core/sheet.js";
import { subject } from "../core/subjects.js";
import { layOut } from "./routing-layout.js";
import { PLAN, routingPlan } from "./routing-plan.js";
import { gainsOf, meterOf, stateOf } from "./routing-ways.js";
import "../core/fact.js";

const SVG = "http://www.w3.org/2000/svg";
/** How often the lines change, in milliseconds, and after how many changes the plan is made anew. */
const [STEP, PLANS] = [125, 4];
const WORDS = { sounding: "sounds", quiet: "open, but nothing comes", blocked: "blocked", waiting: "waits", off: "switched off" };

class Routing extends PageElement {
  #players = [];
  #plan = null;
  #key = "";
  #lines = [];
  #bars = [];
  #step = 0;

  build() {
    this.svg = document.createElementNS(SVG, "svg");
    this.svg.setAttribute("role", "img");
    this.boxes = h("div", { class: "boxes" });
    this.picture = h("div", { class: "picture" }, this.svg, this.boxes);
    const legend = Object.entries(WORDS).map(([state, words]) => h("span", { "data-state": state }, words));
    this.append(h("p", { class: "legend" }, ...legend), this.picture);
    this.classList.add("view");
    this.svg.addEventListener("click", (event) => {
      const line = this.#lines.find(({ hit }) => hit === event.target);
      if (line) this.#openWay(line.way);
    });
  }

  connect() {
    for (const pattern of PLAN) this.subscribe(pattern);
    this.subscribe("/meter/{stream,session,output,input,capture}/*", 10);
    const read = () => this.#readPlayers();
    router.addEventListener("structure", read);
    this.until(() => router.removeEventListener("structure", read));
    read();
    this.until(model.watch(() => this.#draw()));
    const observer = new ResizeObserver(() => this.#draw(true));
    observer.observe(this.picture);
    this.until(() => observer.disconnect());
    const timer = setInterval(() => this.#live(), STEP);
    this.until(() => clearInterval(timer));
  }

  async #readPlayers() {
    try {
      this.#players = (await router.list("/player/list")).map(([id]) => id);
      this.#draw();
    } catch {
      // The connection was lost: the next one reads again.
    }
  }

  // MARK: Drawing

  /** Draws boxes and lines, if there are others or if `anew`. */
  #draw(anew = false) {
    if (!this.isConnected) return;
    const plan = routingPlan(this.#players);
    const key = JSON.stringify(plan);
    if (key === this.#key && !anew) return;
    [this.#key, this.#plan] = [key, plan];
    const { width, height, boxes, curves } = layOut(plan, this.picture.clientWidth);
    this.picture.style.height = `${height}px`;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.setAttribute("width", width);
    this.svg.setAttribute("height", height);
    this.#bars = [];
    const focused = this.boxes.querySelector(":focus")?.dataset.key;
    this.boxes.replaceChildren(...boxes.map((box) => this.#box(box)));
    if (focused) [...this.boxes.querySelectorAll("button")].find((button) => button.dataset.key === focused)?.focus();
    this.#lines = curves.map(({ way, path }) => {
      const [line, hit] = ["line", "hit"].map((name) => {
        const element = document.createElementNS(SVG, "path");
        element.setAttribute("class", name);
        element.setAttribute("d", path);
        return element;
      });
      line.dataset.kind = way.kind;
      return { way, line, hit, state: "", width: "" };
    });
    this.svg.replaceChildren(...this.#lines.map(({ line }) => line), ...this.#lines.map(({ hit }) => hit));
    if (boxes.length === 0) this.boxes.append(h("p", { class: "empty" }, "There is no session and no device yet."));
    this.#live();
  }

  #box({ key, name, kind, x, y, width, height }) {
    if (kind === "block") {
      const block = h("div", { class: "block" });
      Object.assign(block.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
      return block;
    }
    const bar = h("span", { class: "bar", "aria-hidden": "true" }, h("span", {}));
    const button = h("button", { type: "button", class: "box", "data-kind": kind, "data-key": key, onclick: () => this.#openBox(key, name, kind) },
      h("bdi", {}, clean(name)), bar);
    Object.assign(button.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
    this.#bars.push({ key, name, kind, button, bar: bar.firstChild, state: "" });
    return button;
  }

  // MARK: What moves

  #live() {
    if (document.hidden || !this.#plan) return;
    this.#step += 1;
    if (this.#step % PLANS === 0) this.#draw();
    let sounding = 0;
    for (const line of this.#lines) {
      const { state, level } = stateOf(line.way);
      if (state === "sounding") sounding += 1;
      if (state !== line.state) line.line.dataset.state = line.state = state;
      const part = Math.min(1, Math.max(0, 1 + level / 60));
      const width = (state === "sounding" ? 2 + 6 * part : 2).toFixed(1);
      if (width === line.width) continue;
      line.width = width;
      line.line.style.strokeWidth = width;
      line.line.style.strokeOpacity = state === "sounding" ? (0.45 + 0.55 * part).toFixed(2) : "";
    }
    const text = `${this.#lines.length} ways, ${sounding} with sound. The boxes tell of their ways.`;
    if (this.svg.getAttribute("aria-label") !== text) this.svg.setAttribute("aria-label", text);
    for (const box of this.#bars) this.#showBox(box);
  }

  #showBox(box) {
    const level = box.kind === "program" || box.kind === "player" ? this.#levelBehind(box.key) : meterOf(meterAddress(box.key));
    box.bar.style.transform = `scaleX(${Math.min(1, Math.max(0, 1 + level / 60)).toFixed(3)})`;
    const state = level > -60 ? "sounds" : box.kind === "output" && router.value(`${box.key}/available`) === 0 ? "away" : "silent";
    if (state === box.state) return;
    box.button.dataset.state = box.state = state;
    box.button.setAttribute("aria-label", `${box.kind} ${clean(box.name)}: ${state}. Why?`);
  }

  /** A program has no meter of its own: the streams that it feeds have. */
  #levelBehind(key) {
    const streams = this.#plan.ways.filter(({ kind, from }) => kind === "source" && from === key);
    return Math.max(OFF, ...streams.map(({ session, stream }) => meterOf(`/stream/${session}/${stream}`)));
  }

  // MARK: Why

  #openBox(key, name, kind) {
    const facts = { session: ["why", "causes"], output: ["type", "desktop", "bridge"], input: ["type", "desktop"], capture: ["why"] }[kind] ?? [];
    const isHere = ({ from, to }) => from === key || to === key || from.startsWith(`${key}/stream/`);
    openSheet(`${kind} ${name}`,
      ...facts.map((leaf) => h("mr-fact", { address: `${key}/${leaf}`, label: leaf === "why" ? "Now" : leaf[0].toUpperCase() + leaf.slice(1) })),
      alive("ways", () => {
        const ways = routingPlan(this.#players).ways.filter(isHere).map((way) => ({ name: nameOf(way), ...stateOf(way) }));
        return ways.length > 0 ? ways : [{ name, state: "quiet", reason: "Nothing goes there, and nothing comes from there." }];
      }, ({ name, state, reason }) => h("li", { "data-state": state }, h("bdi", { class: "name" }, clean(name)), h("bdi", {}, clean(reason)))));
  }

  #openWay(way) {
    openSheet(nameOf(way),
      alive("reason", () => [stateOf(way)], ({ reason }) => h("li", {}, h("bdi", {}, clean(reason)))),
      ...(way.session ? [h("mr-fact", { address: `/session/${way.session}/why`, label: `Session ${way.session}` })] : []),
      alive("gains", () => gainsOf(way), ({ words, level }) => h("li", {}, h("bdi", {}, `${clean(words)}: ${levelText(level)}`))));
  }
}

/** A list that stays true while it is on the page: `rows()` tells what `row` shows. */
function alive(name, rows, row) {
  const list = h("ul", { class: name });
  let last = "";
  const fill = () => {
    const present = rows();
    const text = JSON.stringify(present);
    if (text !== last) list.replaceChildren(...present.map(row));
    last = text;
  };
  fill();
  const timer = setInterval(() => (list.isConnected ? fill() : clearInterval(timer)), STEP * PLANS);
  return list;
}

function meterAddress(key) {
  const stream = /^\/session\/([^/]+)\/stream\/([^/]+)$/.exec(key);
  if (stream) return `/stream/${stream[1]}/${stream[2]}`;
  const capture = /^\/session\/([^/]+)\/capture$/.exec(key);
  return capture ? `/capture/${capture[1]}` : key;
}

function nameOf({ from, to }) {
  const short = (key) => key.replace(/^program /, "").replace(/^\/session\/([^/]+)\/capture$/, "$1 receives")
    .replace(/^\/session\/([^/]+)\/stream\//, "$1 ").replace(/^\/(session|output|input|player)\//, "");
  return `${short(from)} → ${short(to)}`;
}

customElements.define("mr-routing", Routing);
subject({ id: "routing", title: "Routing", icon: "routing", tag: "mr-routing", order: 70 });
