// What all elements of the page have in common. An element watches addresses and subscribes to patterns only while it is on the page.

import { router } from "./router.js";

/** Makes an element of HTML. Texts become text and never markup, whatever they hold. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

/** A drawing of the folder `icons`, in the colour of the text around it. */
export function icon(name) {
  const element = h("span", { class: "icon", "aria-hidden": "true" });
  element.style.setProperty("--icon", `url("${new URL(`../icons/${name}.svg`, import.meta.url)}")`);
  return element;
}

const MOST_CHARACTERS = 256;

/** A name that others have given: cut, without control characters, and apart from the text around it in its direction of writing. */
export function setName(element, name) {
  const text = clean(name);
  if (element.textContent !== text) element.textContent = text;
  element.title = text;
}

/** A text of others, cut and without the characters that change the direction of what follows. */
export function clean(text) {
  return String(text ?? "").replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, " ").slice(0, MOST_CHARACTERS);
}

/** A colour as #rrggbb, or nothing. */
export function colour(text) {
  return /^#[0-9a-f]{6}$/i.test(text ?? "") ? text : "";
}

/** Fills `holder` with a child for each key, in this order; `make(key)` makes it. A finger on a child that stays never loses it: it is not touched. */
export function keep(holder, keys, make) {
  const present = new Map([...holder.children].map((child) => [child.key, child]));
  for (const [key, child] of present) if (!keys.includes(key)) child.remove();
  keys.forEach((key, index) => {
    const child = present.get(key) ?? Object.assign(make(key), { key });
    if (holder.children[index] !== child) holder.insertBefore(child, holder.children[index] ?? null);
  });
}

export class PageElement extends HTMLElement {
  #ends = [];
  #isBuilt = false;

  connectedCallback() {
    if (!this.#isBuilt) this.build();
    this.#isBuilt = true;
    this.connect();
  }

  disconnectedCallback() {
    for (const end of this.#ends) end();
    this.#ends = [];
  }

  /** Makes the content, once. */
  build() {}

  /** Begins to watch; called whenever the element comes onto the page. */
  connect() {}

  /** Does `end` when the element leaves the page. */
  until(end) {
    this.#ends.push(end);
  }

  /** Calls `change(first argument, all arguments)` after each change of an address; without arguments once its value is unknown again. */
  watch(address, change) {
    this.until(router.watch(address, (args) => change(args[0], args)));
  }

  /** Wants the values of a pattern. The element is grey until all that it wants has come. */
  subscribe(pattern, rate) {
    let isWaiting = true;
    const begin = () => {
      if (isWaiting) return;
      isWaiting = true;
      this.#wait(1);
    };
    const ready = () => {
      if (!isWaiting) return;
      isWaiting = false;
      this.#wait(-1);
    };
    this.#wait(1);
    const onState = () => {
      if (router.state === "lost") begin();
    };
    router.addEventListener("state", onState);
    const end = router.subscribe(pattern, rate, ready);
    this.until(() => {
      router.removeEventListener("state", onState);
      end();
      ready();
    });
  }

  #awaited = 0;

  #wait(change) {
    this.#awaited += change;
    this.toggleAttribute("data-waiting", this.#awaited > 0);
  }

  /** Calls `change` when the connection or the right of this page changes, and now. */
  watchRight(change) {
    for (const type of ["state", "right"]) {
      router.addEventListener(type, change);
      this.until(() => router.removeEventListener(type, change));
    }
    change();
  }
}
