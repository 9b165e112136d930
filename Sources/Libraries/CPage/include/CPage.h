#pragma once
#include <stddef.h>

/// A file of the page for browsers, as it lies in `Sources/Control/Page/Content`.
struct mr_page_file {
  /// Its name below that folder, such as `core/osc.js`.
  const char *name;
  size_t count;
  const unsigned char *bytes;
};

/// The files, which are part of the program; the last one has no name.
const struct mr_page_file *mr_page_files(void);
