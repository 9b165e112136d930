// Calls, ducking, the silent switch and panic: what takes the sound away from whom.

import { h, keep, PageElement } from "../core/element.js";
import { model } from "../core/model.js";
import { router } from "../core/router.js";
import { subject } from "../core/subjects.js";
import "../core/button.js";
import "../core/number.js";
import "../core/switch.js";
import "./affected.js";
import "./call.js";

class Calls extends PageElement {
  /** Sources that a person has named on this page; the router forgets those that neither ring nor are on. */
  #named = new Set(["phone"]);
  #present = [];

  build() {
    this.classList.add("view");
    this.append(h("div", { class: "sections" }, this.#panicPanel(), this.#callPanel(), this.#sessionPanel(), this.#duckPanel()));
  }

  #panicPanel() {
    this.panic = h("mr-button", { class: "panic", address: "/system/panic", set: true, hold: true, label: "Panic" });
    this.panic.values = () => [router.value("/system/panic") === 1 ? 0 : 1];
    this.panicState = h("p", { role: "status" });
    return h("section", { class: "panel", "aria-label": "Panic and silent switch" }, this.panic, this.panicState,
      h("mr-switch", { class: "mute", address: "/silent", label: "Silent switch", name: "Silent switch" }),
      h("p", { class: "quiet" }, "The silent switch silences sessions of the categories ambient and soloAmbient, as on a phone."));
  }

  #callPanel() {
    this.calls = h("div", { class: "calls" });
    const name = h("input", { type: "text", "aria-label": "Name of another source", placeholder: "Another source", maxlength: 32, autocomplete: "off" });
    const add = h("button", { type: "button", onclick: () => this.#name(name) }, "Add");
    name.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.#name(name);
    });
    return h("section", { class: "panel", "aria-label": "Calls" }, h("h2", {}, "Calls"), this.calls, h("div", { class: "add" }, name, add),
      h("div", { class: "buttons" }, h("mr-button", { address: "/interruption/clear", label: "End all", name: "End all interruptions" })));
  }

  #sessionPanel() {
    this.sessions = h("ul", {});
    return h("section", { class: "panel", "aria-label": "Who is interrupted or ducked" }, h("h2", {}, "Interrupted or ducked now"), this.sessions);
  }

  #duckPanel() {
    const number = (leaf, label, unit, min, max, step) => h("mr-number", { address: `/duck/${leaf}`, label, unit, min, max, step });
    this.scope = h("select", { "aria-label": "Who is ducked", onchange: () => this.#scope() },
      h("option", { value: "all" }, "all sessions"), h("option", { value: "shared" }, "those that share an output with the ducker"),
      h("option", { value: "heard" }, "only where the ducker is heard"));
    return h("section", { class: "panel", "aria-label": "Ducking" }, h("h2", {}, "Ducking"), number("level", "Others go to", "dB", -60, 0, 1),
      number("attack", "Way down", "s", 0.001, 10, 0.1), number("release", "Way back", "s", 0.001, 10, 0.1), this.scope);
  }

  connect() {
    this.subscribe("/silent");
    this.subscribe("/system/panic");
    this.subscribe("/duck/*");
    this.subscribe("/interruption/*/{on,ringing}");
    this.subscribe("/session/*/{name,active,interrupted,ducked,why}");
    this.subscribe("/session/*/duck/now");
    this.subscribe("/event/*");
    this.watch("/system/panic", (isOn) => this.#showPanic(isOn === 1));
    this.watch("/duck/scope", (scope) => (this.scope.value = scope));
    this.watchRight(() => (this.scope.disabled = !router.mayControl));
    this.until(model.watch(() => this.#fillSessions()));
    const onEvent = (event) => {
      if (event.detail.address === "/event/interruption") this.#read();
    };
    router.addEventListener("event", onEvent);
    router.addEventListener("structure", this.#onStructure);
    this.until(() => {
      router.removeEventListener("event", onEvent);
      router.removeEventListener("structure", this.#onStructure);
    });
    this.#read();
    this.#fillCalls();
  }

  #onStructure = () => this.#read();

  #showPanic(isOn) {
    this.panic.classList.toggle("on", isOn);
    this.panic.say(isOn ? "Hold to bring the sound back" : "Hold for PANIC", isOn ? "Panic is on: bring the sound back" : "Panic: mute all outputs");
    this.panicState.textContent = isOn ? "PANIC: all outputs are muted. The sound comes back with a fade." : "Panic mutes all outputs at once.";
    this.panicState.className = isOn ? "bad" : "quiet";
  }

  #scope() {
    router.send("/duck/scope", this.scope.value);
    this.scope.value = router.value("/duck/scope", "all");
  }

  // MARK: Sources of calls

  async #read() {
    try {
      this.#present = (await router.list("/interruption/list")).map(([source]) => source);
      this.#fillCalls();
    } catch {
      // The connection was lost: the next one reads again.
    }
  }

  #name(input) {
    const name = input.value.trim().toLowerCase();
    if (!name) return;
    // A word that is no id would be part of another address.
    if (!/^[a-z0-9][a-z0-9_-]{0,31}$/.test(name)) {
      const sentence = `“${name}” cannot name a source: write at most 32 letters, digits, - and _, such as intercom.`;
      return router.dispatchEvent(new CustomEvent("problem", { detail: { address: "/interruption", symbol: "badValue", sentence } }));
    }
    this.#named.add(name);
    input.value = "";
    this.#fillCalls();
  }

  #fillCalls() {
    for (const source of this.#present) this.#named.add(source);
    keep(this.calls, [...this.#named], (source) => h("mr-call", { source }));
  }

  #fillSessions() {
    this.sessions.replaceChildren(...model.sessions.map((id) => h("mr-affected", { session: id })),
      h("li", { class: "none quiet" }, "Nobody."));
  }
}

customElements.define("mr-calls", Calls);
subject({ id: "calls", title: "Calls", icon: "calls", tag: "mr-calls", order: 40 });
