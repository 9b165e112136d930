// The beginning of the page: all subjects, then the frame around them, then the connection.

import "./elements.js";
import "./core/shell.js";
import { mixOutput } from "./elements/mix.js";
import { fingers } from "./core/fingers.js";
import { model } from "./core/model.js";
import { router } from "./core/router.js";

// A page of one mix knows that mix alone.
if (mixOutput) {
  router.token = location.hash.slice(1);
  // Another token in the same tab begins anew.
  addEventListener("hashchange", () => location.reload());
} else {
  model.start();
  fingers.start();
}
router.start();
