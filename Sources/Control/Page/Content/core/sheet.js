// A sheet above the page, for what belongs to one thing: reasons, streams, settings.

import { h, setName } from "./element.js";

/** A sheet covers the page, so what was refused is told in the uppermost one. */
function placeMessages() {
  const place = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.querySelector("mr-shell");
  place.append(document.querySelector(".messages"));
}

/** Opens a sheet with a title and content. It closes by its button, by Escape, by a tap beside it, or as the page goes to another subject. */
export function openSheet(title, ...content) {
  const heading = h("h2", {}, h("bdi"));
  setName(heading.firstChild, title);
  const close = h("button", { type: "button", class: "close", "aria-label": "Close", onclick: () => sheet.close() }, "×");
  const sheet = h("dialog", { class: "sheet" }, h("div", { class: "bar" }, heading, close), h("div", { class: "content" }, ...content));
  sheet.setAttribute("aria-label", heading.textContent);
  sheet.addEventListener("click", (event) => {
    if (event.target === sheet) sheet.close();
  });
  const leave = () => sheet.close();
  addEventListener("hashchange", leave);
  sheet.addEventListener("close", () => {
    removeEventListener("hashchange", leave);
    placeMessages();
    sheet.remove();
  });
  document.body.append(sheet);
  sheet.showModal();
  placeMessages();
  return sheet;
}
