#define _GNU_SOURCE
#include "CPlugins.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int write_message(LV2_Log_Handle handle, LV2_URID type, const char *format, va_list arguments) {
  const struct mr_plugin_log_source *source = handle;
  if (type == source->trace) return 0;
  char text[1024];
  int begin = snprintf(text, sizeof text, "%.200s: ", source->name);
  int size = vsnprintf(text + begin, sizeof text - begin, format, arguments);
  if (size < 0) return size;
  size_t end = strlen(text);
  if (text[end - 1] != '\n') {
    if (end > sizeof text - 2) end = sizeof text - 2;
    text[end++] = '\n';
  }
  // Nobody reads it any more, or not soon enough: then the message is lost.
  if (write(STDERR_FILENO, text, end) < 0) return 0;
  return size;
}

static int print_message(LV2_Log_Handle handle, LV2_URID type, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int size = write_message(handle, type, format, arguments);
  va_end(arguments);
  return size;
}

LV2_Log_Log mr_plugin_log(struct mr_plugin_log_source *source) {
  return (LV2_Log_Log){.handle = source, .printf = print_message, .vprintf = write_message};
}

static int64_t *crashed;

static void note_crash(int signal) {
  __atomic_store_n(crashed, (int64_t)syscall(SYS_gettid), __ATOMIC_SEQ_CST);
  // The handler has been reset: the signal ends the process as it would have without a handler.
  raise(signal);
}

void mr_crash_note(int64_t *thread) {
  crashed = thread;
  struct sigaction action = {.sa_handler = note_crash, .sa_flags = SA_ONSTACK | SA_RESETHAND};
  const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
  for (unsigned index = 0; index < sizeof signals / sizeof signals[0]; index++) sigaction(signals[index], &action, NULL);
}

int64_t mr_crash_thread(void) {
  enum { size = 32768 };
  stack_t stack = {.ss_sp = malloc(size), .ss_size = size};
  sigaltstack(&stack, NULL);
  return (int64_t)syscall(SYS_gettid);
}
