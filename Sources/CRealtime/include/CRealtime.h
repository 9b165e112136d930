#pragma once
#include <stdbool.h>
#include <stdint.h>

/// The few lines that Swift cannot say. All are safe on the audio thread: they neither block nor allocate.
#define MR_REALTIME __attribute__((swift_attr("@_noLocks")))

/// Makes the calling thread treat numbers too small to hear as zero; they would cost it a hundred times as much.
void mr_denormals_off(void) MR_REALTIME;

/// Nanoseconds of CLOCK_MONOTONIC.
uint64_t mr_monotonic_nanoseconds(void) MR_REALTIME;

/// The processor's own clock, for short times on the audio thread: reading it costs a tenth of the system's. How long a tick is
/// differs from machine to machine, and cores of old ones may disagree.
static inline uint64_t mr_ticks(void) MR_REALTIME {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return mr_monotonic_nanoseconds();
#endif
}

/// Whether this processor runs the loops that are built for x86-64-v3.
bool mr_newer_processor(void) MR_REALTIME;

/// Whether this processor runs the loops that are built for x86-64-v4.
bool mr_widest_processor(void) MR_REALTIME;

/// Begins and ends what the RealtimeSanitizer watches on the calling thread; nothing in ordinary builds. They nest.
void mr_rt_enter(void) MR_REALTIME;
void mr_rt_exit(void) MR_REALTIME;

/// Whether `mr_rt_enter` does anything in this build.
bool mr_rt_is_watched(void);

/// Names a thread, by its `pthread_t`, as seen in `top -H`; at most 15 characters.
void mr_thread_name(unsigned long thread, const char *name);

/// Keeps every page that is or will be used from being swapped out, which the audio thread would have to wait for; false if the
/// system does not let us. Pages are locked when they are first used: whole stacks at once would cost tens of megabytes.
bool mr_lock_memory(void);
