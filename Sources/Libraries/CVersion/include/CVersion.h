#pragma once

// The line of packaging/VERSION, with its newline.
const char *mr_version(void);
