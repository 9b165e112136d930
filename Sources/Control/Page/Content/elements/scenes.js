// The scenes of the show: which is in force, which comes next and what it would change, and GO.

import { clean, h, PageElement, setName } from "../core/element.js";
import { foresight, preview } from "../core/foresight.js";
import { router } from "../core/router.js";
import { openSheet } from "../core/sheet.js";
import { subject } from "../core/subjects.js";
import "../core/button.js";
import "../core/number.js";
import "./differences.js";
import "./scene-sheet.js";

/** How often the preview of the scene on standby is asked for again, in milliseconds, while it is looked at. */
const AGAIN = 2_000;

class Scenes extends PageElement {
  /** Titles by the ids of presets. */
  #titles = new Map();

  build() {
    this.classList.add("view");
    this.append(h("div", { class: "sections" }, this.#goPanel(), h("div", { class: "column" }, this.#nowPanel(), this.#listPanel())));
  }

  #goPanel() {
    this.next = h("bdi", { class: "next" });
    this.go = h("mr-button", { class: "go", address: "/preset/go", label: "GO" });
    this.go.append(this.next);
    this.refusal = h("p", { class: "refusal bad", role: "status", hidden: true });
    this.go.addEventListener("refused", (event) => this.#refuse(event.detail));
    this.go.addEventListener("done", () => this.#refuse(""));
    this.changes = h("mr-differences", {});
    this.ghosts = h("input", { type: "checkbox", onchange: () => foresight.turn(this.ghosts.checked) });
    return h("section", { class: "panel", "aria-label": "Next scene" }, this.go, this.refusal,
      h("div", { class: "buttons" },
        h("mr-button", { address: "/preset/prev", label: "Previous", name: "Recall the scene before" }),
        h("mr-button", { address: "/preset/next", label: "Next", name: "Recall the scene after" })),
      h("h2", {}, "GO would change"), this.changes,
      h("label", { class: "check" }, this.ghosts, "Show it on the faders of mixer and matrix"));
  }

  #nowPanel() {
    this.current = h("bdi", { class: "current" });
    this.modified = h("button", { type: "button", class: "warm", hidden: true, onclick: () => this.#openModified() }, "Modified since: what?");
    this.bar = h("span", { class: "bar" });
    this.progress = h("div", { class: "progress", role: "progressbar", "aria-label": "Fade of the recall", "aria-valuemin": 0, "aria-valuemax": 100 }, this.bar);
    const store = h("button", { type: "button", class: "store", onclick: () => openSheet("Store", h("mr-store", {})) }, "Store…");
    return h("section", { class: "panel", "aria-label": "Scene in force" }, h("h2", {}, "In force"), this.current, this.modified, this.progress,
      h("div", { class: "buttons" },
        h("mr-button", { address: "/preset/abort", label: "Abort", name: "Abort the fade" }),
        h("mr-button", { address: "/preset/undo", label: "Undo", name: "Undo the last recall" }), store),
      h("mr-number", { address: "/preset/fade", label: "Fade", unit: "s", min: 0, max: 120, step: 0.5 }),
      h("mr-number", { address: "/preset/guard", label: "GO not again for", unit: "s", min: 0, max: 10, step: 0.1 }));
  }

  #listPanel() {
    this.list = h("ul", { class: "scenes" });
    return h("section", { class: "panel", "aria-label": "Scenes" }, h("h2", {}, "Scenes"), this.list);
  }

  get #standby() {
    const preset = router.value("/preset/standby", "none");
    return preset === "none" ? "" : preset;
  }

  #title(preset) {
    return this.#titles.get(preset) || preset;
  }

  connect() {
    this.subscribe("/preset/{standby,current,modified,progress,fade,guard}");
    for (const leaf of ["standby", "current", "modified"]) this.watch(`/preset/${leaf}`, () => this.#show());
    this.watch("/preset/progress", (part = 1) => this.#fade(part));
    const onEvent = (event) => {
      if (event.detail.address === "/event/preset") this.#read();
    };
    const onStructure = () => this.#read();
    router.addEventListener("event", onEvent);
    router.addEventListener("structure", onStructure);
    const timer = setInterval(() => this.#look(), AGAIN);
    this.until(() => {
      router.removeEventListener("event", onEvent);
      router.removeEventListener("structure", onStructure);
      clearInterval(timer);
    });
    this.subscribe("/event/*");
    this.#read();
  }

  /** Reads the list, and what the next scene would change. */
  async #read() {
    try {
      const rows = await router.list("/preset/list");
      this.#titles = new Map(rows.map(([preset, title]) => [preset, clean(title)]));
      this.#fill();
      this.#show();
    } catch {
      // The connection was lost: the next one reads again.
    }
  }

  #fill() {
    const rows = [...this.#titles].map(([preset, title]) => {
      const name = h("bdi", {});
      setName(name, title || preset);
      const standby = h("mr-button", { address: "/preset/standby", set: true, label: "Standby", name: `Put ${preset} on standby` });
      standby.values = () => [preset];
      const open = h("button", { type: "button", class: "scene", onclick: () => openSheet(title || preset, h("mr-scene", { preset })) },
        name, h("span", { class: "state" }));
      return h("li", { "data-preset": preset }, open, standby);
    });
    this.list.replaceChildren(...rows);
    if (rows.length === 0) this.list.append(h("li", { class: "empty" }, "There is no scene yet. Store makes one from the present settings."));
  }

  #show() {
    const [standby, current] = [this.#standby, router.value("/preset/current", "none")];
    setName(this.current, current === "none" ? "none" : this.#title(current));
    this.modified.hidden = router.value("/preset/modified") !== 1 || current === "none";
    setName(this.next, standby ? this.#title(standby) : "no scene is on standby");
    this.go.toggleAttribute("locked", !standby);
    this.go.setAttribute("aria-label", standby ? `GO: ${this.#title(standby)}` : "GO: no scene is on standby");
    for (const row of this.list.querySelectorAll("[data-preset]")) {
      const { preset } = row.dataset;
      row.classList.toggle("now", preset === current);
      row.classList.toggle("standby", preset === standby);
      row.querySelector(".state").textContent = preset === current ? "in force" : preset === standby ? "on standby" : "";
    }
    this.ghosts.checked = foresight.isOn;
    foresight.refresh();
    this.#look();
  }

  async #look() {
    const standby = this.#standby;
    if (document.hidden || router.state !== "live") return;
    if (!standby) return this.changes.fail("Nothing: no scene is on standby. Choose one from the list.");
    try {
      const rows = await preview(standby);
      if (standby === this.#standby) this.changes.show(rows, "Nothing: all is as that scene has it.");
    } catch ({ message }) {
      if (standby === this.#standby) this.changes.fail(message);
    }
  }

  #fade(part) {
    const percent = Math.round(part * 100);
    this.bar.style.transform = `scaleX(${part < 1 ? part : 0})`;
    this.progress.classList.toggle("running", part < 1);
    this.progress.setAttribute("aria-valuenow", percent);
    this.progress.setAttribute("aria-valuetext", part < 1 ? `${percent} % of the fade` : "no fade runs");
  }

  #refuse(sentence) {
    this.refusal.hidden = sentence === "";
    this.refusal.textContent = sentence && `GO was refused: ${clean(sentence)}`;
  }

  /** What differs from the scene in force is what its recall would bring back. */
  async #openModified() {
    const changes = h("mr-differences", {});
    openSheet("Changed since the recall", h("p", { class: "quiet" }, "A recall of the scene in force would bring back:"), changes);
    try {
      changes.show(await preview(router.value("/preset/current")), "Nothing that a recall would bring back.");
    } catch ({ message }) {
      changes.fail(message);
    }
  }
}

customElements.define("mr-scenes", Scenes);
subject({ id: "scenes", title: "Scenes", icon: "scenes", tag: "mr-scenes", order: 30 });
