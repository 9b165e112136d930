// The files that recorders have written: <mr-recordings>, to download and to delete. The web server gives them to hosts with the right `admin` only.

import { clean, h, keep, PageElement, setName } from "../core/element.js";
import { router } from "../core/router.js";
import { size } from "../core/texts.js";
import "../core/button.js";

/** A file may come or go by another program, so the page looks so often, in milliseconds. */
const AGAIN = 5_000;
const MOST = 200;

class Recordings extends PageElement {
  #recorder = "";
  #isReading = false;
  #isStale = false;

  build() {
    this.classList.add("panel");
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", "Recordings");
    this.room = h("p", { class: "room" });
    this.hint = h("p", { class: "warm", hidden: true }, "Only hosts with the right admin can download.");
    this.list = h("ul", {});
    this.none = h("p", { class: "none quiet", hidden: true });
    this.append(h("h2", {}, "Recordings"), this.room, this.hint, this.list, this.none);
  }

  /** The recorders, whose folder it is. */
  set recorders([first]) {
    this.#recorder = first ?? "";
    this.read();
  }

  connect() {
    this.subscribe("/health/disk/{free,on}", 1);
    for (const leaf of ["free", "on"]) this.watch(`/health/disk/${leaf}`, () => this.#showRoom());
    const onEvent = (event) => {
      if (event.detail.address === "/event/recorder") this.read();
    };
    router.addEventListener("event", onEvent);
    const timer = setInterval(() => !document.hidden && this.read(), AGAIN);
    this.until(() => {
      router.removeEventListener("event", onEvent);
      clearInterval(timer);
    });
    this.watchRight(() => {
      this.hint.hidden = router.right === "admin";
      this.read();
    });
    this.#showRoom();
  }

  #showRoom() {
    const free = router.value("/health/disk/free");
    const isLow = router.value("/health/disk/on") === 1;
    this.room.textContent = free === undefined ? "The room on the disk is not known yet." : `${size(free)} free on the disk${isLow ? ": less than 1 GiB" : ""}`;
    this.room.classList.toggle("bad", isLow);
  }

  async read() {
    if (this.#isReading) return (this.#isStale = true);
    if (router.state !== "live") return;
    this.#isReading = true;
    this.#isStale = false;
    try {
      this.#take(this.#recorder ? await router.list(`/recorder/${this.#recorder}/files`, 0, MOST) : []);
    } catch {
      // The connection was lost, or the recorder has gone.
    }
    this.#isReading = false;
    if (this.#isStale) this.read();
  }

  #take(rows) {
    keep(this.list, rows.map(([file]) => file), (file) => this.#item(file));
    rows.forEach(([, bytes, time], index) => {
      const date = new Date(time);
      const item = this.list.children[index];
      item.about.textContent = [size(bytes), Number.isNaN(date.getTime()) ? "" : date.toLocaleString([], { hour12: false })].filter(Boolean).join(", ");
      item.link.hidden = router.right !== "admin";
      item.erase.setAttribute("address", `/recorder/${this.#recorder}/delete`);
    });
    this.none.hidden = rows.length > 0;
    this.none.textContent = this.#recorder ? "There is no recording yet." : "There is no recorder. Make one, and its folder is listed here.";
  }

  #item(file) {
    const name = h("bdi", { class: "name" });
    setName(name, file);
    const about = h("span", { class: "quiet" });
    const erase = h("mr-button", { class: "erase", hold: true, label: "Delete", name: `Delete ${clean(file)}`, ondone: () => this.read() });
    erase.values = () => [file];
    const link = h("a", { class: "download", href: `/recordings/${encodeURIComponent(file)}`, download: file, "aria-label": `Download ${clean(file)}` }, "Download");
    return Object.assign(h("li", {}, h("div", { class: "what" }, name, about), link, erase), { about, link, erase });
  }
}

customElements.define("mr-recordings", Recordings);
