// The load of the last minutes with a mark for each second that had an xrun or no server, as a plot: <mr-load-plot>.

import { h, PageElement } from "../core/element.js";
import { router } from "../core/router.js";
import { measured, SECONDS } from "./measured.js";

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT] = [SECONDS, 100];

function svg(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

class LoadPlot extends PageElement {
  build() {
    this.picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img" });
    for (const part of [25, 50, 75]) this.picture.append(svg("path", { class: "grid-line", d: `M0 ${part}H${WIDTH}` }));
    for (let second = 60; second < SECONDS; second += 60) this.picture.append(svg("path", { class: "grid-line", d: `M${WIDTH - second} 0V${HEIGHT}` }));
    [this.gone, this.xruns, this.server, this.load] = ["gone", "xruns", "server", "load"].map((name) => svg("path", { class: name, d: "" }));
    this.picture.append(this.gone, this.xruns, this.server, this.load);
    this.legend = h("div", { class: "legend" }, ...["load", "server", "xruns", "gone"].map((name) => h("span", { class: name })));
    this.append(h("div", { class: "frame" }, h("span", { class: "top" }, "100 %"), this.picture),
      h("div", { class: "axis" }, h("span", {}, `${SECONDS / 60} min ago`), h("span", {}, "now")), this.legend);
  }

  connect() {
    const draw = () => this.#draw();
    measured.addEventListener("change", draw);
    this.until(() => measured.removeEventListener("change", draw));
    draw();
  }

  #draw() {
    const now = performance.now();
    const x = (sample) => (WIDTH - (now - sample.at) / 1_000).toFixed(1);
    const line = (name) => {
      let isOn = false;
      let path = "";
      for (const sample of measured.samples) {
        const value = sample[name];
        if (value !== null) path += `${isOn ? "L" : "M"}${x(sample)} ${(HEIGHT * (1 - Math.min(1, value))).toFixed(1)}`;
        isOn = value !== null;
      }
      return path;
    };
    this.load.setAttribute("d", line("load"));
    this.server.setAttribute("d", line("server"));
    const struck = measured.samples.filter(({ xruns }) => xruns > 0);
    this.xruns.setAttribute("d", struck.map((sample) => `M${x(sample)} 0V${HEIGHT}`).join(""));
    const gone = measured.samples.filter(({ isGone }) => isGone);
    this.gone.setAttribute("d", gone.map((sample) => `M${x(sample)} 96h1.5`).join(""));
    const percent = (value) => (value === null || value === undefined ? "not known" : `${(value * 100).toFixed(1)} %`);
    const last = measured.samples.at(-1);
    const most = Math.max(0, ...measured.samples.map(({ load }) => load ?? 0));
    const xruns = struck.reduce((sum, sample) => sum + sample.xruns, 0);
    const [load, server, marks, absence] = this.legend.children;
    load.textContent = `audio thread ${percent(last?.load)}, at most ${percent(most)}`;
    server.textContent = `all programs of the server ${percent(last?.server)}`;
    marks.textContent = `${xruns} xruns here, ${router.value("/health/xruns", 0)} since the start`;
    absence.textContent = `${gone.length} s without a server`;
    absence.hidden = gone.length === 0;
    const told = [...this.legend.children].filter((part) => !part.hidden).map((part) => part.textContent);
    this.picture.setAttribute("aria-label", `Load of the last ${SECONDS / 60} minutes: ${told.join("; ")}`);
  }
}

customElements.define("mr-load-plot", LoadPlot);
