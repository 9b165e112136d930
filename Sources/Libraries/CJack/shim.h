#pragma once
#include <jack/jack.h>
#include <jack/metadata.h>
#include <jack/thread.h>
#include <jack/uuid.h>

// Swift cannot call functions with a variable number of arguments, so this function calls `jack_client_open` with a fixed number.
static inline jack_client_t *jack_client_open_at(const char *name, jack_options_t options, jack_status_t *status,
                                                 const char *server) {
  return server ? jack_client_open(name, (jack_options_t)(options | JackServerName), status, server)
                : jack_client_open(name, options, status);
}

// The JACK calls that are allowed on the audio thread and on JACK's notification thread: each only reads or writes memory that is shared
// with the server. The list is complete: the compiler refuses every other C call in a function marked `@_noLocks`.
#define TRUSTED_IN_CALLBACKS __attribute__((swift_attr("@_noLocks")))

TRUSTED_IN_CALLBACKS void *jack_port_get_buffer(jack_port_t *, jack_nframes_t);
TRUSTED_IN_CALLBACKS jack_nframes_t jack_last_frame_time(const jack_client_t *);
TRUSTED_IN_CALLBACKS jack_time_t jack_get_time(void);
TRUSTED_IN_CALLBACKS void jack_port_get_latency_range(jack_port_t *, jack_latency_callback_mode_t,
                                                      jack_latency_range_t *);
TRUSTED_IN_CALLBACKS void jack_port_set_latency_range(jack_port_t *, jack_latency_callback_mode_t,
                                                      jack_latency_range_t *);

#undef TRUSTED_IN_CALLBACKS
