#pragma once
#include <systemd/sd-bus.h>

#include "../functions.h"

#define MR_SD_BUS(use) \
  use(sd_bus_new) use(sd_bus_set_address) use(sd_bus_set_bus_client) use(sd_bus_start) \
  use(sd_bus_close_unref) use(sd_bus_get_fd) use(sd_bus_get_events) use(sd_bus_get_timeout) \
  use(sd_bus_get_n_queued_write) use(sd_bus_get_unique_name) use(sd_bus_process) use(sd_bus_send) \
  use(sd_bus_message_unref) use(sd_bus_message_new_method_call) \
  use(sd_bus_message_new_method_return) use(sd_bus_message_new_method_error) \
  use(sd_bus_message_new_signal) use(sd_bus_message_set_auto_start) \
  use(sd_bus_message_append_basic) use(sd_bus_message_open_container) \
  use(sd_bus_message_close_container) use(sd_bus_message_get_type) \
  use(sd_bus_message_get_reply_cookie) use(sd_bus_message_get_expect_reply) \
  use(sd_bus_message_get_path) use(sd_bus_message_get_interface) use(sd_bus_message_get_member) \
  use(sd_bus_message_get_sender) use(sd_bus_message_get_signature) use(sd_bus_message_get_error) \
  use(sd_bus_message_peek_type) use(sd_bus_message_read_basic) use(sd_bus_message_enter_container) \
  use(sd_bus_message_exit_container) use(sd_bus_message_skip)
MR_FUNCTIONS(mr_sd_bus, MR_SD_BUS)
