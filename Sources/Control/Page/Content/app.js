// The beginning of the page: all subjects, then the frame around them, then the connection.

import "./elements.js";
import "./core/shell.js";
import { model } from "./core/model.js";
import { router } from "./core/router.js";

model.start();
router.start();
