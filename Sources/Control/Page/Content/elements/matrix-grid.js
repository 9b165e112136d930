// The matrix as a grid. Only the crosspoints that are seen are on the page, so that 64 streams at 64 outputs cost no more than a few.

import { clean, h, PageElement } from "../core/element.js";
import { decibels, levelText } from "../core/level.js";
import { foresight } from "../core/foresight.js";
import { model } from "../core/model.js";
import { router } from "../core/router.js";
import { sendControls } from "./channel-controls.js";
import { addressesOf, isAway, way } from "./sends.js";
import "../core/fact.js";
import "../core/row.js";

// Sizes in pixels; style/matrix.css has the same.
const [WIDTH, HEIGHT, HEAD_WIDTH, HEAD_HEIGHT] = [72, 44, 176, 56];
/** So many crosspoints beyond the edge are ready. */
const MARGIN = 2;

/** What a recall would make of a send, as a text; empty if it stays. */
function ghostOf(address) {
  const [on, level] = [foresight.then(`${address}/on`), foresight.level(address)];
  if (on === "0") return "off";
  if (level !== null) return levelText(level).replace(" dB", "");
  return on === "1" ? "on" : "";
}

class MatrixGrid extends PageElement {
  /** The streams, each with its session. */
  #streams = [];
  #rows = new Map();
  /** Ends what the heads watch. */
  #endsOfHeads = [];
  /** The session, stream and output of the chosen crosspoint: undefined before the first choice, null once it is gone. */
  #chosen;
  /** Its row and column; -1 for none. */
  #at = [-1, -1];
  /** Ends the subscription to what only the editor shows. */
  #endOfChosen = () => {};
  #isAwaited = false;

  build() {
    this.heads = h("div", { class: "heads", role: "row", "aria-rowindex": 1 });
    this.space = h("div", { class: "space", role: "presentation" }, this.heads);
    this.grid = h("div", {
      class: "grid", role: "grid", tabindex: 0, "aria-label": "Streams at outputs", onscroll: () => this.#await(),
      onkeydown: (event) => this.#press(event), onclick: (event) => this.#touch(event),
      ondblclick: (event) => event.target.closest(".cell") && this.#toggle(),
    }, this.space);
    this.editor = h("section", { class: "editor", "aria-label": "Chosen crosspoint" });
    this.append(this.grid, this.editor);
  }

  connect() {
    this.subscribe("/session/*/stream/*/to/*/{on,fader}");
    this.until(model.watch(() => this.#fill()));
    const observer = new ResizeObserver(() => this.#await());
    observer.observe(this.grid);
    this.until(() => observer.disconnect());
    this.until(() => this.#clear());
    this.until(() => this.#endOfChosen());
  }

  #fill() {
    this.#clear();
    this.#streams = model.sessions.flatMap((session) => (model.streams.get(session) ?? []).map((stream) => ({ session, stream })));
    this.space.style.width = `${HEAD_WIDTH + model.outputs.length * WIDTH}px`;
    this.space.style.height = `${HEAD_HEIGHT + this.#streams.length * HEIGHT}px`;
    this.grid.setAttribute("aria-rowcount", this.#streams.length + 1);
    this.grid.setAttribute("aria-colcount", model.outputs.length + 1);
    this.heads.replaceChildren(h("span", { class: "corner", role: "columnheader", "aria-colindex": 1 }, "to"), ...model.outputs.map((output, column) => {
      const head = h("span", { class: "head", role: "columnheader", "aria-colindex": column + 2 }, h("bdi", {}, output));
      head.style.left = `${HEAD_WIDTH + column * WIDTH}px`;
      this.#endsOfHeads.push(router.watch(`/output/${output}/available`, () => head.classList.toggle("away", isAway(output))));
      return head;
    }));
    this.#draw();
    if (this.#chosen === undefined) return this.#choose(0, 0);
    // It stays chosen wherever it stands now. If it is gone, no other one gets what was meant for it.
    const { session, stream, output } = this.#chosen ?? {};
    this.#choose(this.#streams.findIndex((other) => other.session === session && other.stream === stream), model.outputs.indexOf(output));
  }

  #clear() {
    for (const end of this.#endsOfHeads.splice(0)) end();
    for (const row of this.#rows.values()) this.#removeRow(row);
    this.#rows.clear();
  }

  // MARK: What is seen

  #await() {
    if (this.#isAwaited) return;
    this.#isAwaited = true;
    requestAnimationFrame(() => {
      this.#isAwaited = false;
      if (this.isConnected) this.#draw();
    });
  }

  #draw() {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.grid;
    const range = (from, length, size, count) =>
      [Math.max(0, Math.floor(from / size) - MARGIN), Math.min(count, Math.ceil((from + length) / size) + MARGIN)];
    const [top, bottom] = range(scrollTop, clientHeight, HEIGHT, this.#streams.length);
    const [left, right] = range(scrollLeft, clientWidth - HEAD_WIDTH, WIDTH, model.outputs.length);
    for (const [index, row] of this.#rows) {
      if (index >= top && index < bottom) continue;
      this.#removeRow(row);
      this.#rows.delete(index);
    }
    for (let index = top; index < bottom; index += 1) {
      const row = this.#rows.get(index) ?? this.#addRow(index);
      for (const [column, cell] of row.cells) {
        if (column >= left && column < right) continue;
        this.#removeCell(cell);
        row.cells.delete(column);
      }
      for (let column = left; column < right; column += 1) if (!row.cells.has(column)) this.#addCell(row, index, column);
    }
    this.#mark();
  }

  #addRow(index) {
    const { session, stream } = this.#streams[index];
    const head = h("span", { class: "head", role: "rowheader", "aria-colindex": 1 }, h("bdi", { class: "session" }, session), h("bdi", {}, stream));
    const element = h("div", { class: "row", role: "row", "aria-rowindex": index + 2 }, head);
    element.style.top = `${HEAD_HEIGHT + index * HEIGHT}px`;
    this.space.append(element);
    const row = { element, cells: new Map() };
    this.#rows.set(index, row);
    return row;
  }

  #removeRow(row) {
    for (const cell of row.cells.values()) this.#removeCell(cell);
    row.element.remove();
  }

  #addCell(row, index, column) {
    const { session, stream } = this.#streams[index];
    const output = model.outputs[column];
    const address = this.#address(index, column);
    const element = h("span", { class: "cell", role: "gridcell", "aria-colindex": column + 2, id: `cell-${index}-${column}` });
    element.style.left = `${HEAD_WIDTH + column * WIDTH}px`;
    element.dataset.at = `${index} ${column}`;
    const show = () => {
      const isOn = router.value(`${address}/on`) === 1;
      const text = levelText(decibels(router.value(`${address}/fader`, 0)));
      const { lock, note, isRouted } = way(session, stream, output);
      const state = isRouted ? "routed" : lock ? "locked" : isOn ? (note ? "waiting" : "on") : "off";
      element.dataset.state = state;
      element.textContent = state === "on" || state === "waiting" ? text.replace(" dB", "") : state === "routed" ? "route" : "";
      const ghost = ghostOf(address);
      if (ghost) element.dataset.ghost = `→ ${ghost}`;
      else delete element.dataset.ghost;
      element.setAttribute("aria-label",
        clean(`${stream} to ${output}: ${lock || `${isOn ? text : "not sent"} ${note}`}${ghost && `, after ${foresight.preset}: ${ghost}`}`));
    };
    const ends = [`${address}/on`, `${address}/fader`, ...addressesOf(session, stream, output)].map((leaf) => router.watch(leaf, show));
    ends.push(foresight.watch(show));
    row.cells.set(column, { element, ends });
    row.element.append(element);
  }

  #removeCell({ element, ends }) {
    for (const end of ends) end();
    element.remove();
  }

  // MARK: The chosen crosspoint

  #address(index, column) {
    const { session, stream } = this.#streams[index];
    return `/session/${session}/stream/${stream}/to/${model.outputs[column]}`;
  }

  /** Chooses a crosspoint; none if there is no such row or column. */
  #choose(index, column) {
    const [{ session, stream } = {}, output] = [this.#streams[index], model.outputs[column]];
    if (!stream || !output) {
      if (this.#chosen) this.#chosen = null;
      this.#at = [-1, -1];
      this.#mark();
      this.#endOfChosen();
      return this.editor.replaceChildren();
    }
    this.#chosen = { session, stream, output };
    this.#at = [index, column];
    this.#mark();
    const address = this.#address(index, column);
    if (this.editor.firstChild?.getAttribute("address") === address) return;
    const row = h("mr-row", { address, title: `${session} ${stream} → ${output}`, name: `${stream} to ${output}` });
    row.follow(addressesOf(session, stream, output), () => way(session, stream, output));
    this.#endOfChosen();
    this.#endOfChosen = router.subscribe(`${address}/{pan,solo}`);
    this.editor.replaceChildren(row, sendControls(address, `${stream} to ${output}`));
  }

  #mark() {
    this.grid.querySelector(".chosen")?.classList.remove("chosen");
    const cell = this.#rows.get(this.#at[0])?.cells.get(this.#at[1]);
    cell?.element.classList.add("chosen");
    if (cell) this.grid.setAttribute("aria-activedescendant", cell.element.id);
    else this.grid.removeAttribute("aria-activedescendant");
  }

  #touch(event) {
    const cell = event.target.closest(".cell");
    if (cell) this.#choose(...cell.dataset.at.split(" ").map(Number));
  }

  #toggle() {
    const { session, stream, output } = this.#chosen ?? {};
    if (!router.mayControl || !stream || way(session, stream, output).lock) return;
    const address = `${this.#address(...this.#at)}/on`;
    router.send(address, router.value(address) !== 1);
  }

  #press(event) {
    const [index, column] = this.#at;
    const moves = {
      ArrowUp: [index - 1, column], ArrowDown: [index + 1, column], ArrowLeft: [index, column - 1], ArrowRight: [index, column + 1],
      PageUp: [index - 8, column], PageDown: [index + 8, column], Home: [index, 0], End: [index, Infinity],
    };
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key in moves) {
      const [row, place] = moves[event.key];
      this.#choose(Math.min(Math.max(0, row), this.#streams.length - 1), Math.min(Math.max(0, place), model.outputs.length - 1));
      this.#scrollTo(...this.#at);
    } else if (event.key === " " || event.key === "Enter") {
      if (!event.repeat) this.#toggle();
    } else if (/^[-+0]$/.test(event.key) && router.mayControl && this.#chosen) {
      const address = this.#address(index, column);
      if (event.key === "0") router.send(`${address}/gain`, 0);
      else router.send(`${address}/gain/inc`, event.key === "+" ? 0.5 : -0.5);
    } else return;
    event.preventDefault();
  }

  #scrollTo(index, column) {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.grid;
    const into = (position, at, size, length) => Math.min(at, Math.max(position, at + size - length));
    this.grid.scrollTop = into(scrollTop, index * HEIGHT, HEIGHT, clientHeight - HEAD_HEIGHT);
    this.grid.scrollLeft = into(scrollLeft, column * WIDTH, WIDTH, clientWidth - HEAD_WIDTH);
    this.#draw();
  }
}

customElements.define("mr-matrix-grid", MatrixGrid);
