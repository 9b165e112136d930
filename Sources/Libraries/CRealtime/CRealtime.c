#define _GNU_SOURCE
#include "CRealtime.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

void mr_denormals_off(void) {
#if defined(__x86_64__)
  // Bit 15 makes tiny results zero, bit 6 makes tiny operands zero.
  _mm_setcsr(_mm_getcsr() | 0x8040);
#elif defined(__aarch64__)
  // Bit 24 of the control register does both.
  uint64_t control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  __asm__ volatile("msr fpcr, %0" : : "r"(control | (UINT64_C(1) << 24)));
#endif
}

uint64_t mr_monotonic_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

bool mr_newer_processor(void) {
#if defined(__x86_64__)
  // The instructions of x86-64-v3 that loops over floating-point numbers may use.
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2");
#else
  return false;
#endif
}

bool mr_widest_processor(void) {
#if defined(__x86_64__)
  // The instructions that x86-64-v4 adds.
  return mr_newer_processor() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
  return false;
#endif
}

#if defined(MR_RTSAN)
void __rtsan_realtime_enter(void);
void __rtsan_realtime_exit(void);
void mr_rt_enter(void) { __rtsan_realtime_enter(); }
void mr_rt_exit(void) { __rtsan_realtime_exit(); }
bool mr_rt_is_watched(void) { return true; }
void __rtsan_disable(void);
void __rtsan_enable(void);
#define WATCH(state) __rtsan_##state()
#else
void mr_rt_enter(void) {}
void mr_rt_exit(void) {}
bool mr_rt_is_watched(void) { return false; }
#define WATCH(state)
#endif

void mr_freewheel_nap(void) {
  struct timespec nap = {.tv_nsec = 50000};
  WATCH(disable);
  clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL);
  WATCH(enable);
}

void mr_word_wake(void *word) {
  WATCH(disable);
  syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
  WATCH(enable);
}

void mr_word_wait(void *word, uint32_t value, uint64_t until) {
  const struct timespec limit = {.tv_sec = until / 1000000000, .tv_nsec = until % 1000000000};
  syscall(SYS_futex, word, FUTEX_WAIT_BITSET, value, &limit, NULL, FUTEX_BITSET_MATCH_ANY);
}

void mr_thread_name(unsigned long thread, const char *name) { pthread_setname_np(thread, name); }

void mr_thread_background(void) {
  const struct sched_param parameters = {.sched_priority = 0};
  pthread_setschedparam(pthread_self(), SCHED_IDLE, &parameters);
  // The C library has no function for it: process 0 is the calling thread, and class 3, idle, is in the upper bits (ioprio_set(2)).
  syscall(SYS_ioprio_set, 1, 0, 3 << 13);
}

void mr_thread_realtime(int priority) {
  const struct sched_param parameters = {.sched_priority = priority};
  pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters);
}

bool mr_lock_memory(void) {
  // With a limit the call might succeed now, but the system would refuse memory that is requested later.
  struct rlimit limit;
  if (geteuid() != 0 && (getrlimit(RLIMIT_MEMLOCK, &limit) || limit.rlim_cur != RLIM_INFINITY)) return false;
  return mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0;
}
