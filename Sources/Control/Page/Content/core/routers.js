// The routers of the network, as the router finds them: a sheet from which a person goes to the page of another.

import { clean, h } from "./element.js";
import { colourOf } from "./home.js";
import { router } from "./router.js";
import { openSheet } from "./sheet.js";

/** What a router may announce as its page: another machine says this, so only an address of a network is followed. */
const PAGE = /^http:\/\/(\[[0-9a-f:.%]+\]|[0-9.]+):\d+\/$/;

/** Opens a sheet with all routers. */
export async function openRouters() {
  const list = h("ul", { class: "routers" });
  const note = h("p", { role: "status" }, "Looking for routers…");
  openSheet("Routers on this network", list, note);
  try {
    const rows = await router.list("/system/routers");
    list.append(...rows.map(item));
    note.textContent = rows.length > 0 ? "" : "None was found. A router is announced if --osc or --http opens it to the network.";
  } catch (error) {
    note.textContent = clean(error.message);
  }
}

function item([name, page]) {
  const text = clean(name);
  const colour = h("span", { class: "colour", "aria-hidden": "true" });
  colour.style.background = colourOf(name);
  const isHere = PAGE.test(page) && new URL(page).host === location.host;
  const link = PAGE.test(page)
    ? h("a", { href: page, "aria-current": isHere ? "page" : null }, colour, h("bdi", {}, text))
    : h("span", { class: "quiet" }, colour, h("bdi", {}, text), " has no page");
  return h("li", {}, link);
}
