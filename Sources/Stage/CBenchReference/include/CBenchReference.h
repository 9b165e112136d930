#pragma once
#include <stdbool.h>
#include <stdint.h>

/// JACK clients in plain C that use only libjack and OpenBLAS. The router is compared with them, and they feed it and listen to it while
/// it is measured.
typedef struct bare_client bare_client;

/// The work of a bare client in its process callback.
typedef enum {
  /// Plays noise from every output.
  bare_noise,
  /// Plays the constant value 0.5 from every output.
  bare_level,
  /// Multiplies its inputs by a matrix with one call of single-threaded `cblas_sgemm`, directly between the ports' buffers.
  bare_product,
  /// Does the same as `bare_product`, but copies the samples into dense matrices first and out of them afterwards.
  bare_product_copied,
  /// Gets its ports' buffers and does nothing with them.
  bare_idle,
  /// Copies inputs to outputs, in turn, until each input and each output was used at least once.
  bare_copy,
  /// Plays an input from each output, in turn, multiplied by the last gain that `bare_receive` got.
  bare_gain,
  /// Looks for the first sample of its first input that differs from the value given to `bare_watch`.
  bare_watching,
} bare_work;

/// Opens a client with ports `in_n` and `out_p_n`, where p is the number of the pair, or `playback_n` and `capture_n` of a physical device, and starts it.
/// Returns NULL if the server refuses.
bare_client *bare_open(const char *server, const char *name, bare_work work, int inputs, int outputs, bool is_device);

/// Closes the connection to the server and frees the client.
void bare_close(bare_client *client);

/// Connects two ports by full name; false if the server refuses.
bool bare_connect(bare_client *client, const char *source, const char *destination);

/// Periods processed since the start.
uint64_t bare_periods(const bare_client *client);

/// CLOCK_THREAD_CPUTIME_ID of the client's process thread in nanoseconds.
uint64_t bare_thread_nanoseconds(const bare_client *client);

/// Number of overruns (xruns) that the server reported.
uint64_t bare_xruns(const bare_client *client);

/// Receives gains on a thread of its own from now on. A gain is the amplitude at the end of an OSC message. Returns the UDP port on
/// 127.0.0.1; 0 if the system refuses.
uint16_t bare_receive(bare_client *client);

/// Begins to watch the first input for a sample other than `steady`.
void bare_watch(bare_client *client, float steady);

/// Gives the time of the first such sample in microseconds of `bare_now`; false if it has not come yet.
bool bare_heard(const bare_client *client, double *microseconds);

/// The last sample of the first input.
float bare_sample(const bare_client *client);

/// The server's clock in microseconds.
double bare_now(void);

/// The shortest measured time of one product of 64 x 64 matrices in nanoseconds.
uint64_t bare_product_nanoseconds(void);

/// Names the processor that OpenBLAS runs its loops for.
const char *bare_library_core(void);

/// Pins a thread (0 for the calling one), and all threads that it starts afterwards, to the last processor that this process may use;
/// false if the system refuses. After `bare_unpin` the calling thread may use all processors again.
bool bare_pin(int thread);
void bare_unpin(void);
