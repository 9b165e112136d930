#pragma once
// Where the versions of libwebsockets have what is set of `lws_context_creation_info`: the library asks for no size and cannot tell an old
// structure from a new one. Whatever else is passed has had one layout since 4.0.
#include <libwebsockets.h>
#include <stddef.h>
#include <string.h>

#define MR_WEBSOCKETS_INFO(use)                                                                    \
  use(protocols) use(server_string) use(port) use(keepalive_timeout) use(max_http_header_data)     \
  use(max_http_header_pool) use(timeout_secs) use(timeout_secs_ah_idle) use(options) use(user)     \
  use(fd_limit_per_thread) use(retry_and_idle_policy)

#define MR_WEBSOCKETS_OFFSET(field) size_t field;
/// The offset in bytes of each field on 64-bit machines.
struct mr_websockets_layout {
  /// The start of the library's version.
  const char *version;
  MR_WEBSOCKETS_INFO(MR_WEBSOCKETS_OFFSET)
};

enum {
  /// More bytes than any version's structure has.
  mr_websockets_info_size = 2048,
  mr_websockets_layout_count = 5
};

/// The layouts that are known. 4.1 and 4.3 are Debian's and tried; the others are from the published headers. 4.2 differs by how it was built.
static inline const struct mr_websockets_layout *mr_websockets_layouts(void) {
  static const struct mr_websockets_layout layouts[mr_websockets_layout_count] = {
      {"4.0.", 16, 216, 0, 192, 144, 146, 156, 408, 104, 112, 152, 664},
      {"4.1.", 8, 80, 96, 112, 144, 146, 404, 416, 432, 440, 452, 608},
      {"4.3.", 8, 80, 96, 112, 144, 146, 404, 416, 440, 448, 460, 616},
      {"4.4.", 8, 80, 96, 112, 144, 146, 404, 416, 440, 448, 460, 616},
      {"4.5.", 8, 80, 96, 112, 144, 146, 404, 416, 440, 448, 460, 616},
  };
  return layouts;
}

#define MR_WEBSOCKETS_LAY(field) memcpy(bytes + layout->field, &info->field, sizeof info->field);
/// Writes what is set of `info` where the version of `layout` looks for it. `bytes` has `mr_websockets_info_size` zeros.
static inline void mr_websockets_lay(const struct mr_websockets_layout *layout, const struct lws_context_creation_info *info,
                                     unsigned char *bytes) {
  MR_WEBSOCKETS_INFO(MR_WEBSOCKETS_LAY)
}

#define MR_WEBSOCKETS_OFFSET_HERE(field) offsetof(struct lws_context_creation_info, field),
/// The layout of the header that this program was built with.
static inline struct mr_websockets_layout mr_websockets_built(void) {
  struct mr_websockets_layout layout = {LWS_LIBRARY_VERSION, MR_WEBSOCKETS_INFO(MR_WEBSOCKETS_OFFSET_HERE)};
  return layout;
}
