// The frame of the page: the router's name, the connection, the navigation, what was refused, and the choice of looks.

import { openAccess, RIGHTS } from "./access.js";
import { clean, h, icon, PageElement, setName } from "./element.js";
import { colourOf, fullScreen, keepAwake } from "./home.js";
import { prefer, preferences } from "./preferences.js";
import { router } from "./router.js";
import { openRouters } from "./routers.js";
import { openSheet } from "./sheet.js";
import { mixOutput } from "../elements/mix.js";
import { subjects } from "./subjects.js";

const SENTENCES = {
  connecting: "Connecting to the router…",
  lost: "Connection lost. What you see is old. Trying again…",
};

/** How long a refusal is shown, in milliseconds. */
const REFUSAL = 8_000;

class Shell extends PageElement {
  build() {
    this.name = h("bdi", {});
    this.right = h("button", { type: "button", class: "right", onclick: openAccess });
    this.banner = h("p", { class: "banner", role: "alert", hidden: true });
    this.messages = h("div", { class: "messages", role: "status" });
    this.main = h("main", {});
    this.nav = h("nav", { "aria-label": "Subjects" },
      ...subjects.map(({ id, title, icon: drawing }) => h("a", { href: `#/${id}` }, icon(drawing), h("span", {}, title))));
    const looks = h("button", { type: "button", class: "looks", "aria-label": "Looks and habits", onclick: () => this.#chooseLooks() }, icon("settings"));
    // The page of one mix leads nowhere else.
    const home = mixOutput ? this.name : h("button", { type: "button", title: "Routers on this network", onclick: openRouters }, this.name);
    this.append(h("header", {}, h("h1", {}, home), this.right, this.nav, looks), this.banner, this.main, this.messages);
    applyTheme();
    // The page of one mix has no other subject.
    this.nav.hidden = mixOutput !== "";
  }

  connect() {
    keepAwake((sentence) => this.#tell(sentence));
    const goTo = () => this.#show(location.hash.replace(/^#\/?/, ""));
    addEventListener("hashchange", goTo);
    this.until(() => removeEventListener("hashchange", goTo));
    goTo();
    this.watchRight(() => {
      document.body.dataset.state = router.state;
      document.body.dataset.right = router.right;
      this.banner.hidden = router.state === "live";
      this.banner.textContent = SENTENCES[router.state] ?? "";
      this.right.hidden = router.state !== "live";
      this.right.textContent = RIGHTS[router.right] ?? router.right;
      document.body.style.setProperty("--home", colourOf(router.name));
      setName(this.name, router.name || "multiroute");
      document.title = clean(router.name || "multiroute");
    });
    router.addEventListener("problem", (event) => this.#tell(event.detail.sentence));
  }

  #show(path) {
    if (mixOutput) return this.main.replaceChildren(h("mr-mix"));
    const chosen = subjects.find(({ id }) => path === id || path.startsWith(`${id}/`)) ?? subjects[0];
    for (const link of this.nav.children) {
      if (link.hash === `#/${chosen.id}`) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    if (this.main.firstChild?.localName === chosen.tag) return;
    // Only the subject that is looked at costs the router anything.
    this.main.replaceChildren(h(chosen.tag));
  }

  #tell(sentence) {
    const text = clean(sentence);
    if ([...this.messages.children].some((message) => message.textContent === text)) return;
    const message = h("p", {}, h("bdi", {}, text));
    this.messages.append(message);
    while (this.messages.children.length > 3) this.messages.firstChild.remove();
    setTimeout(() => message.remove(), REFUSAL);
  }

  #chooseLooks() {
    openSheet("Looks and habits",
      choice("Colours", "theme", { system: "As the system", dark: "Dark", light: "Light", contrast: "High contrast" }, applyTheme),
      choice("Double tap on a fader", "doubleTap", { zero: "0 dB", off: "Off" }), ...[fullScreen()].filter(Boolean));
  }
}

function applyTheme() {
  document.documentElement.dataset.theme = preferences.theme;
}

function choice(title, key, options, apply = () => {}) {
  const buttons = Object.entries(options).map(([value, label]) => {
    const input = h("input", {
      type: "radio", name: key, value, checked: preferences[key] === value,
      onchange: () => {
        prefer(key, value);
        apply();
      },
    });
    return h("label", {}, input, label);
  });
  return h("fieldset", {}, h("legend", {}, title), ...buttons);
}

customElements.define("mr-shell", Shell);
