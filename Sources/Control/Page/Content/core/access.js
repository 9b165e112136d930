// What this page may do, and a passcode that raises it. The router asks for it again after a restart; the page keeps it nowhere.

import { h } from "./element.js";
import { router } from "./router.js";
import { openSheet } from "./sheet.js";

export const RIGHTS = { none: "no right", mix: "my mix", view: "view only", control: "control", admin: "admin" };

const PLAIN = "This connection is not encrypted: other devices on the network can read the passcode.";

/** Opens a sheet for a passcode. */
export function openAccess() {
  const passcode = h("input", { type: "password", autocomplete: "off", "aria-label": "Passcode", required: true });
  const form = h("form", {
    onsubmit: (event) => {
      event.preventDefault();
      router.send("/hello", "page", passcode.value);
      passcode.value = "";
      sheet.close();
    },
  }, passcode, h("button", {}, "Raise my right"));
  const warning = isSecureContext ? null : h("p", {}, PLAIN);
  const sheet = openSheet(`This page: ${RIGHTS[router.right] ?? router.right}`, form, ...(warning ? [warning] : []));
}
