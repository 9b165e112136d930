// The matrix: which stream goes to which output, at which level. On a narrow screen one output at a time.

import { h, keep, PageElement, setName } from "../core/element.js";
import { model } from "../core/model.js";
import { router } from "../core/router.js";
import { subject } from "../core/subjects.js";
import { addressesOf, WAYS, way } from "./sends.js";
import "../core/row.js";
import "./matrix-grid.js";

const NARROW = matchMedia("(max-width: 640px)");

class Matrix extends PageElement {
  connect() {
    for (const pattern of WAYS) this.subscribe(pattern);
    const fit = () => this.replaceChildren(h(NARROW.matches ? "mr-matrix-list" : "mr-matrix-grid"));
    NARROW.addEventListener("change", fit);
    this.until(() => NARROW.removeEventListener("change", fit));
    fit();
  }
}

/** The streams at one output. */
class MatrixList extends PageElement {
  #output = null;
  #end = () => {};

  build() {
    this.select = h("select", { "aria-label": "Output", onchange: () => this.#choose(this.select.value) });
    const step = (by, label, sign) => h("button", { type: "button", "aria-label": label, onclick: () => this.#step(by) }, sign);
    this.rows = h("div", { class: "rows" });
    this.append(h("div", { class: "bar" }, step(-1, "Output before", "‹"), this.select, step(1, "Next output", "›")), this.rows);
  }

  connect() {
    this.until(model.watch(() => {
      this.select.replaceChildren(...model.outputs.map((id) => h("option", { value: id }, id)));
      this.#choose(model.outputs.includes(this.#output) ? this.#output : model.outputs[0]);
    }));
    this.until(() => this.#end());
  }

  #step(by) {
    const { outputs } = model;
    this.#choose(outputs[(outputs.indexOf(this.#output) + by + outputs.length) % outputs.length]);
  }

  #choose(output) {
    if (!output) return this.rows.replaceChildren();
    this.select.value = output;
    if (output !== this.#output) {
      this.#output = output;
      this.#end();
      this.#end = router.subscribe(`/session/*/stream/*/to/${output}/{on,fader}`);
    }
    const sessions = model.sessions.filter((session) => model.streams.get(session)?.length > 0);
    keep(this.rows, sessions, (session) => {
      const heading = h("h2", {}, h("bdi"));
      setName(heading.firstChild, session);
      return h("section", {}, heading, h("div"));
    });
    sessions.forEach((session, index) => keep(this.rows.children[index].lastChild,
      model.streams.get(session).map((stream) => `/session/${session}/stream/${stream}/to/${output}`), (address) => this.#row(address)));
  }

  #row(address) {
    const [, , session, , stream, , output] = address.split("/");
    const row = h("mr-row", { address, title: stream, name: `${stream} to ${output}` });
    row.follow(addressesOf(session, stream, output), () => way(session, stream, output));
    return row;
  }
}

customElements.define("mr-matrix", Matrix);
customElements.define("mr-matrix-list", MatrixList);
subject({ id: "matrix", title: "Matrix", icon: "matrix", tag: "mr-matrix", order: 20 });
