#pragma once
#include <stdbool.h>
#include <stdint.h>

/// JACK clients as a C programmer writes them, with nothing but libjack and OpenBLAS: what the router is measured against,
/// and what feeds and hears it while it is measured. Only the C compiler's own optimisation stands between them and the
/// libraries.
typedef struct bare_client bare_client;

/// What a bare client does in its process callback.
typedef enum {
  /// Plays noise from every output.
  bare_noise,
  /// Plays the level of 0.5 from every output.
  bare_level,
  /// Multiplies its inputs by a matrix with one call of single-threaded `cblas_sgemm`, right from and to the ports' buffers.
  bare_product,
  /// As `bare_product`, but by way of memory of its own where the matrices are dense: two copies more, denser products.
  bare_product_copied,
  /// Takes its ports' buffers and leaves them alone.
  bare_idle,
  /// Copies each input once to an output, in turn, and as many as there are outputs at least.
  bare_copy,
  /// Multiplies its inputs, as `bare_copy` takes them, by the gain that `bare_receive` heard last.
  bare_gain,
  /// Looks for the first sample of its first input that differs from what `bare_watch` was told.
  bare_watching,
} bare_work;

/// Opens a client with ports `in_n` and `out_p_n`, where p is the number of the pair, or `playback_n` and `capture_n` of a physical device, and starts it.
/// Returns NULL if the server refuses.
bare_client *bare_open(const char *server, const char *name, bare_work work, int inputs, int outputs, bool is_device);

/// Leaves the server and frees the client.
void bare_close(bare_client *client);

/// Connects two ports by full name; false if the server refuses.
bool bare_connect(bare_client *client, const char *source, const char *destination);

/// Periods processed since the start.
uint64_t bare_periods(const bare_client *client);

/// CLOCK_THREAD_CPUTIME_ID of the client's process thread in nanoseconds.
uint64_t bare_thread_nanoseconds(const bare_client *client);

/// Overruns that the server told of.
uint64_t bare_xruns(const bare_client *client);

/// Receives gains on a thread of its own from now on: amplitudes that end an OSC message. Returns the UDP port on 127.0.0.1; 0 if
/// the system refuses.
uint16_t bare_receive(bare_client *client);

/// Begins to watch the first input for a sample other than `steady`.
void bare_watch(bare_client *client, float steady);

/// When that sample was the first time, in microseconds of `bare_now`; false if it has not come.
bool bare_heard(const bare_client *client, double *microseconds);

/// The present sample of the first input.
float bare_sample(const bare_client *client);

/// The server's clock in microseconds.
double bare_now(void);

/// The least time of one product of 64 x 64 matrices in nanoseconds.
uint64_t bare_product_nanoseconds(void);

/// Names the processor that OpenBLAS runs its loops for.
const char *bare_library_core(void);

/// Keeps a thread, 0 for the calling one, and what it starts from then on, on the last processor that this process may use;
/// false if the system refuses. With `bare_unpin` the calling thread may use all again.
bool bare_pin(int thread);
void bare_unpin(void);
