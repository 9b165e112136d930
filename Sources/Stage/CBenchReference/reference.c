#define _GNU_SOURCE
#include "CBenchReference.h"

#include <arpa/inet.h>
#include <cblas.h>
#include <jack/jack.h>
#include <jack/thread.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST_PORTS = 128, MOST_FRAMES = 8192 };

struct bare_client {
  jack_client_t *client;
  jack_port_t *inputs[MOST_PORTS], *outputs[MOST_PORTS];
  int input_count, output_count;
  bare_work work;
  float gains[MOST_PORTS * MOST_PORTS];
  float noise[2 * MOST_FRAMES];
  float packed[MOST_PORTS * MOST_FRAMES], mixed[MOST_PORTS * MOST_FRAMES];
  _Atomic uint64_t periods, xruns;
  _Atomic float steady, sample;
  _Atomic bool is_watching;
  _Atomic double heard;
  _Atomic float gain;
  int socket;
  pthread_t receiver;
};

/// Whether all buffers have the same distance, as those of a jackd2 client have whose ports were registered one after another. Such
/// buffers form a matrix without copying.
static bool equally_far(float *const *buffers, int count, long *distance) {
  *distance = count > 1 ? buffers[1] - buffers[0] : MOST_FRAMES;
  for (int k = 1; k < count; k++) {
    if (buffers[k] - buffers[k - 1] != *distance) return false;
  }
  return *distance > 0;
}

static void multiply(bare_client *self, float *const *in, float *const *out, int frames) {
  long from = frames, to = frames;
  const float *packed = self->packed;
  float *mixed = self->mixed;
  bool is_direct = self->work == bare_product && equally_far(in, self->input_count, &from) &&
                   equally_far(out, self->output_count, &to);
  if (is_direct) {
    packed = in[0];
    mixed = out[0];
  } else {
    from = to = frames;
    for (int k = 0; k < self->input_count; k++) memcpy(self->packed + k * frames, in[k], frames * sizeof(float));
  }
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, self->output_count, frames, self->input_count, 1, self->gains,
              self->input_count, packed, (int)from, 0, mixed, (int)to);
  if (!is_direct) {
    for (int k = 0; k < self->output_count; k++) memcpy(out[k], self->mixed + k * frames, frames * sizeof(float));
  }
}

static void watch(bare_client *self, const float *in, int frames) {
  self->sample = in[frames - 1];
  if (!self->is_watching) return;
  float steady = self->steady;
  for (int k = 0; k < frames; k++) {
    if (in[k] == steady) continue;
    jack_nframes_t first;
    jack_time_t now, next;
    float period;
    if (jack_get_cycle_times(self->client, &first, &now, &next, &period)) return;
    self->heard = (double)now + (double)k * period / frames;
    self->is_watching = false;
    return;
  }
}

static int process(jack_nframes_t frames, void *argument) {
  bare_client *self = argument;
  float *in[MOST_PORTS], *out[MOST_PORTS];
  for (int k = 0; k < self->input_count; k++) in[k] = jack_port_get_buffer(self->inputs[k], frames);
  for (int k = 0; k < self->output_count; k++) out[k] = jack_port_get_buffer(self->outputs[k], frames);
  switch (self->work) {
  case bare_noise:
    for (int k = 0; k < self->output_count; k++) memcpy(out[k], self->noise + 61 * k, frames * sizeof(float));
    break;
  case bare_level:
    for (int k = 0; k < self->output_count; k++) {
      for (jack_nframes_t frame = 0; frame < frames; frame++) out[k][frame] = 0.5f;
    }
    break;
  case bare_idle: break;
  case bare_product:
  case bare_product_copied: multiply(self, in, out, (int)frames); break;
  case bare_copy:
    for (int k = 0; k < self->input_count || k < self->output_count; k++) {
      memcpy(out[k % self->output_count], in[k % self->input_count], frames * sizeof(float));
    }
    break;
  case bare_gain: {
    float gain = self->gain;
    for (int k = 0; k < self->output_count; k++) {
      for (jack_nframes_t frame = 0; frame < frames; frame++) out[k][frame] = gain * in[k % self->input_count][frame];
    }
    break;
  }
  case bare_watching: watch(self, in[0], (int)frames); break;
  }
  atomic_fetch_add_explicit(&self->periods, 1, memory_order_relaxed);
  return 0;
}

static int count_xrun(void *argument) {
  atomic_fetch_add(&((bare_client *)argument)->xruns, 1);
  return 0;
}

static bool add_ports(bare_client *self, bool is_device) {
  unsigned long extra = is_device ? JackPortIsPhysical | JackPortIsTerminal : 0;
  char name[32];
  for (int k = 0; k < self->input_count; k++) {
    snprintf(name, sizeof name, "%s_%d", is_device ? "playback" : "in", k + 1);
    self->inputs[k] = jack_port_register(self->client, name, JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput | extra, 0);
    if (!self->inputs[k]) return false;
  }
  for (int k = 0; k < self->output_count; k++) {
    // The name contains the number of the pair, too, so that a pattern can match a pair.
    if (is_device) {
      snprintf(name, sizeof name, "capture_%d", k + 1);
    } else {
      snprintf(name, sizeof name, "out_%d_%d", k / 2 + 1, k + 1);
    }
    self->outputs[k] = jack_port_register(self->client, name, JACK_DEFAULT_AUDIO_TYPE, JackPortIsOutput | extra, 0);
    if (!self->outputs[k]) return false;
  }
  return true;
}

static void *receive(void *argument) {
  bare_client *self = argument;
  unsigned char packet[1024];
  for (;;) {
    ssize_t size = recv(self->socket, packet, sizeof packet, 0);
    if (size < 4) return NULL;
    uint32_t bits;
    memcpy(&bits, packet + size - 4, 4);
    bits = ntohl(bits);
    float gain;
    memcpy(&gain, &bits, 4);
    self->gain = gain;
  }
}

uint16_t bare_receive(bare_client *self) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  self->socket = socket(AF_INET, SOCK_DGRAM, 0);
  if (self->socket < 0) return 0;
  if (bind(self->socket, (struct sockaddr *)&address, size) ||
      getsockname(self->socket, (struct sockaddr *)&address, &size) ||
      pthread_create(&self->receiver, NULL, receive, self)) {
    close(self->socket);
    self->socket = -1;
    return 0;
  }
  return ntohs(address.sin_port);
}

bare_client *bare_open(const char *server, const char *name, bare_work work, int inputs, int outputs, bool is_device) {
  if (inputs > MOST_PORTS || outputs > MOST_PORTS) return NULL;
  openblas_set_num_threads(1);
  bare_client *self = calloc(1, sizeof *self);
  if (!self) return NULL;
  self->work = work;
  self->socket = -1;
  self->gain = 1;
  self->input_count = inputs;
  self->output_count = outputs;
  for (int k = 0; k < MOST_PORTS * MOST_PORTS; k++) self->gains[k] = 0.01f;
  uint32_t random = 1;
  for (int k = 0; k < 2 * MOST_FRAMES; k++) {
    random = random * 1664525 + 1013904223;
    self->noise[k] = (float)(int32_t)random / 4294967296.0f;
  }
  self->client = jack_client_open(name, JackNoStartServer | JackServerName | JackUseExactName, NULL, server);
  if (!self->client) {
    free(self);
    return NULL;
  }
  jack_set_process_callback(self->client, process, self);
  jack_set_xrun_callback(self->client, count_xrun, self);
  if (!add_ports(self, is_device) || jack_activate(self->client)) {
    bare_close(self);
    return NULL;
  }
  return self;
}

void bare_close(bare_client *self) {
  if (self->socket >= 0) {
    shutdown(self->socket, SHUT_RDWR);
    pthread_join(self->receiver, NULL);
    close(self->socket);
  }
  jack_client_close(self->client);
  free(self);
}

bool bare_connect(bare_client *self, const char *source, const char *destination) {
  return jack_connect(self->client, source, destination) == 0;
}

uint64_t bare_periods(const bare_client *self) { return self->periods; }

uint64_t bare_xruns(const bare_client *self) { return self->xruns; }

uint64_t bare_thread_nanoseconds(const bare_client *self) {
  clockid_t clock;
  struct timespec time = {0};
  if (pthread_getcpuclockid(jack_client_thread_id(self->client), &clock)) return 0;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void bare_watch(bare_client *self, float steady) {
  self->heard = 0;
  self->steady = steady;
  self->is_watching = true;
}

bool bare_heard(const bare_client *self, double *microseconds) {
  *microseconds = self->heard;
  return *microseconds != 0;
}

float bare_sample(const bare_client *self) { return self->sample; }

double bare_now(void) { return (double)jack_get_time(); }

uint64_t bare_product_nanoseconds(void) {
  enum { COUNT = 64 };
  static float gains[COUNT * COUNT], in[COUNT * COUNT], out[COUNT * COUNT];
  openblas_set_num_threads(1);
  uint64_t least = UINT64_MAX;
  for (int round = 0; round < 5000; round++) {
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, COUNT, COUNT, COUNT, 1, gains, COUNT, in, COUNT, 0, out,
                COUNT);
    clock_gettime(CLOCK_MONOTONIC, &end);
    uint64_t time = (uint64_t)(end.tv_sec - begin.tv_sec) * 1000000000u + (uint64_t)(end.tv_nsec - begin.tv_nsec);
    if (time < least) least = time;
  }
  return least;
}

const char *bare_library_core(void) { return openblas_get_corename(); }

static cpu_set_t all_processors;

bool bare_pin(int thread) {
  if (!CPU_COUNT(&all_processors) && sched_getaffinity(0, sizeof all_processors, &all_processors)) return false;
  cpu_set_t one;
  CPU_ZERO(&one);
  for (int cpu = CPU_SETSIZE - 1; cpu >= 0 && !CPU_COUNT(&one); cpu--) {
    if (CPU_ISSET(cpu, &all_processors)) CPU_SET(cpu, &one);
  }
  return sched_setaffinity(thread, sizeof one, &one) == 0;
}

void bare_unpin(void) { sched_setaffinity(0, sizeof all_processors, &all_processors); }
