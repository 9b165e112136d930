// LV2 plugins that misbehave as they are told, for tests of the effects program.
#include <lv2/core/lv2.h>
#include <lv2/log/log.h>
#include <lv2/worker/worker.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PORTS = 8, LINE = 16384 };
// The ports of urn:multiroute:wild; the other plugins have the first ones.
enum { IN, OUT, GAIN, FAULT, DELAY, LATENCY, STEP, METER };
enum { CRASH = 1, ABORT, LEAVE, HANG, SLEEP, NOT_A_NUMBER, INFINITE, WORK_CRASH };

struct wild {
  const char *uri;
  float *ports[PORTS];
  float line[LINE];
  unsigned place;
  LV2_Worker_Schedule *schedule;
  float answer;
};

static LV2_Handle instantiate(const LV2_Descriptor *descriptor, double rate, const char *path, const LV2_Feature *const *features) {
  (void)rate, (void)path;
  if (strstr(descriptor->URI, ":crashes")) raise(SIGSEGV);
  if (strstr(descriptor->URI, ":hangs")) pause();
  if (strstr(descriptor->URI, ":refuses")) return NULL;
  struct wild *wild = calloc(1, sizeof *wild);
  wild->uri = descriptor->URI;
  for (; *features; features++) {
    if (!strcmp((*features)->URI, LV2_WORKER__schedule)) wild->schedule = (*features)->data;
    if (!strcmp((*features)->URI, LV2_LOG__log)) {
      LV2_Log_Log *log = (*features)->data;
      log->printf(log->handle, 0, "%s number %d", "plugin", 42);
    }
  }
  printf("a wild plugin starts\n");
  fflush(stdout);
  return wild;
}

static void connect_port(LV2_Handle handle, uint32_t port, void *memory) {
  if (port < PORTS) ((struct wild *)handle)->ports[port] = memory;
}

static void misbehave(struct wild *wild, uint32_t frames) {
  switch ((int)*wild->ports[FAULT]) {
  case CRASH: *(volatile int *)8 = 1; break;
  case ABORT: abort();
  case LEAVE: exit(3);
  case HANG: for (volatile int turn = 0;; turn++) {}
  case SLEEP: usleep(20000); break;
  case NOT_A_NUMBER: wild->ports[OUT][frames - 1] = NAN; break;
  case INFINITE: wild->ports[OUT][0] = -INFINITY; break;
  case WORK_CRASH: wild->schedule->schedule_work(wild->schedule->handle, 4, "bad"); break;
  }
}

// Delays the sound by DELAY frames, makes it GAIN times as loud, and adds STEP.
static void run_wild(LV2_Handle handle, uint32_t frames) {
  struct wild *wild = handle;
  const unsigned delay = (unsigned)*wild->ports[DELAY];
  for (uint32_t frame = 0; frame < frames; frame++) {
    wild->line[wild->place % LINE] = wild->ports[IN][frame];
    wild->ports[OUT][frame] = wild->line[(wild->place - delay) % LINE] * *wild->ports[GAIN] + *wild->ports[STEP];
    wild->place++;
  }
  *wild->ports[LATENCY] = (float)delay;
  *wild->ports[METER] = *wild->ports[GAIN] * 2;
  misbehave(wild, frames);
}

// The second port is the other sound, and the third the output, which gets both: IN plus ten times the other.
static void run_side(LV2_Handle handle, uint32_t frames) {
  struct wild *wild = handle;
  for (uint32_t frame = 0; frame < frames; frame++) wild->ports[2][frame] = wild->ports[0][frame] + 10 * wild->ports[1][frame];
}

// One channel in, two out: the same, and twice the same.
static void run_wide(LV2_Handle handle, uint32_t frames) {
  struct wild *wild = handle;
  for (uint32_t frame = 0; frame < frames; frame++) {
    float sample = wild->ports[0][frame];
    wild->ports[1][frame] = sample;
    wild->ports[2][frame] = 2 * sample;
  }
}

// Two channels: the second is turned over.
static void run_pair(LV2_Handle handle, uint32_t frames) {
  struct wild *wild = handle;
  for (uint32_t frame = 0; frame < frames; frame++) {
    float left = wild->ports[0][frame], right = wild->ports[1][frame];
    wild->ports[2][frame] = left;
    wild->ports[3][frame] = -right;
  }
}

// Has the worker count; adds the last count to the sound.
static void run_worker(LV2_Handle handle, uint32_t frames) {
  struct wild *wild = handle;
  for (uint32_t frame = 0; frame < frames; frame++) wild->ports[OUT][frame] = wild->ports[IN][frame] + wild->answer;
  wild->schedule->schedule_work(wild->schedule->handle, sizeof wild->answer, &wild->answer);
}

static LV2_Worker_Status work(LV2_Handle handle, LV2_Worker_Respond_Function respond, LV2_Worker_Respond_Handle to, uint32_t size,
                              const void *data) {
  (void)handle;
  if (!strcmp(data, "bad")) raise(SIGSEGV);
  float count;
  memcpy(&count, data, sizeof count);
  count++;
  return respond(to, size, &count);
}

static LV2_Worker_Status work_response(LV2_Handle handle, uint32_t size, const void *data) {
  memcpy(&((struct wild *)handle)->answer, data, size);
  return LV2_WORKER_SUCCESS;
}

static const void *extension_data(const char *uri) {
  static const LV2_Worker_Interface interface = {work, work_response, NULL};
  return strcmp(uri, LV2_WORKER__interface) ? NULL : &interface;
}

#define PLUGIN(uri, run) {"urn:multiroute:" uri, instantiate, connect_port, NULL, run, NULL, free, extension_data}

static const LV2_Descriptor plugins[] = {
    PLUGIN("wild", run_wild),       PLUGIN("other", run_wild),   PLUGIN("crashes", run_wild), PLUGIN("hangs", run_wild),
    PLUGIN("refuses", run_wild),    PLUGIN("side", run_side),    PLUGIN("wide", run_wide),    PLUGIN("pair", run_pair),
    PLUGIN("worker", run_worker),
};

const LV2_Descriptor *lv2_descriptor(uint32_t index) {
  return index < sizeof plugins / sizeof plugins[0] ? &plugins[index] : NULL;
}
