#pragma once
#include <libwebsockets.h>

#include "../functions.h"
#include "layouts.h"

#define MR_WEBSOCKETS(use) \
  use(lws_get_library_version) use(lws_set_log_level) use(lws_create_context) use(lws_context_destroy) use(lws_create_vhost) \
  use(lws_service) use(lws_cancel_service) use(lws_get_context) use(lws_context_user) \
  use(lws_adopt_descriptor_vhost) use(lws_adopt_socket_vhost) use(lws_set_timeout) \
  use(lws_http_get_uri_and_method) use(lws_hdr_copy) use(lws_hdr_total_length) \
  use(lws_callback_on_writable) use(lws_write) use(lws_add_http_common_headers) \
  use(lws_add_http_header_by_name) use(lws_finalize_write_http_header) \
  use(lws_http_transaction_completed) use(lws_hdr_copy_fragment) use(lws_hdr_fragment_length) \
  use(lws_frame_is_binary) use(lws_is_first_fragment) use(lws_is_final_fragment) \
  use(lws_remaining_packet_payload) use(lws_close_reason) use(lws_partial_buffered)
MR_FUNCTIONS(mr_websockets, MR_WEBSOCKETS)

// Bytes that a buffer must have before what `lws_write` sends.
enum { mr_websockets_room = LWS_PRE };
