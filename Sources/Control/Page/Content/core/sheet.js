// A sheet above the page, for what belongs to one thing: reasons, streams, settings.

import { h, setName } from "./element.js";

/** Opens a sheet with a title and content. It closes by its button, by Escape, or by a tap beside it. */
export function openSheet(title, ...content) {
  const heading = h("h2", {}, h("bdi"));
  setName(heading.firstChild, title);
  const close = h("button", { type: "button", class: "close", "aria-label": "Close", onclick: () => sheet.close() }, "×");
  const sheet = h("dialog", { class: "sheet" }, h("div", { class: "bar" }, heading, close), h("div", { class: "content" }, ...content));
  sheet.setAttribute("aria-label", heading.textContent);
  sheet.addEventListener("click", (event) => {
    if (event.target === sheet) sheet.close();
  });
  sheet.addEventListener("close", () => sheet.remove());
  document.body.append(sheet);
  sheet.showModal();
  return sheet;
}
