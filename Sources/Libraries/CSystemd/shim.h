#pragma once
// Not linked: `SystemdCalls` loads the library when it is first needed.
#include <systemd/sd-bus.h>

// The type of each function that is loaded, so that the compiler checks the calls against the header.
#define MR_SD_BUS(name) typedef __typeof__(&sd_bus_##name) mr_sd_bus_##name

MR_SD_BUS(new);
MR_SD_BUS(set_address);
MR_SD_BUS(set_bus_client);
MR_SD_BUS(start);
MR_SD_BUS(close_unref);
MR_SD_BUS(get_fd);
MR_SD_BUS(get_events);
MR_SD_BUS(get_timeout);
MR_SD_BUS(get_n_queued_write);
MR_SD_BUS(get_unique_name);
MR_SD_BUS(process);
MR_SD_BUS(send);
MR_SD_BUS(message_unref);
MR_SD_BUS(message_new_method_call);
MR_SD_BUS(message_new_method_return);
MR_SD_BUS(message_new_method_error);
MR_SD_BUS(message_new_signal);
MR_SD_BUS(message_set_auto_start);
MR_SD_BUS(message_append_basic);
MR_SD_BUS(message_open_container);
MR_SD_BUS(message_close_container);
MR_SD_BUS(message_get_type);
MR_SD_BUS(message_get_reply_cookie);
MR_SD_BUS(message_get_expect_reply);
MR_SD_BUS(message_get_path);
MR_SD_BUS(message_get_interface);
MR_SD_BUS(message_get_member);
MR_SD_BUS(message_get_sender);
MR_SD_BUS(message_get_signature);
MR_SD_BUS(message_get_error);
MR_SD_BUS(message_peek_type);
MR_SD_BUS(message_read_basic);
MR_SD_BUS(message_enter_container);
MR_SD_BUS(message_exit_container);
MR_SD_BUS(message_skip);
