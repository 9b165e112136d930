#pragma once
#include <stdbool.h>
#include <stdint.h>

/// Functions that cannot be written in Swift. Those marked MR_REALTIME may be called on the audio thread: they neither block nor
/// allocate.
#define MR_REALTIME __attribute__((swift_attr("@_noLocks")))

/// Makes the calling thread treat denormal numbers as zero. They are far too small to hear, and computing with them takes up to a hundred
/// times as long.
void mr_denormals_off(void) MR_REALTIME;

/// Nanoseconds of CLOCK_MONOTONIC.
uint64_t mr_monotonic_nanoseconds(void) MR_REALTIME;

/// The processor's own clock, for short times on the audio thread: reading it costs a tenth of reading the system's clock. The length of a
/// tick differs between machines, and on old machines the clocks of the cores may differ.
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

/// Has the processor fetch a cache line that the caller will write, and remove it from the caches of other cores. The caller does not wait.
static inline void mr_fetch_to_write(const void *place) MR_REALTIME {
#if defined(__x86_64__)
  // The compiler's builtin fetches the line for reading, because the oldest processors lack this instruction. They ignore it.
  __asm__ volatile("prefetchw %0" ::"m"(*(const char *)place));
#else
  __builtin_prefetch(place, 1);
#endif
}

/// Whether this processor can run the loops that are built for x86-64-v3.
bool mr_newer_processor(void) MR_REALTIME;

/// Whether this processor can run the loops that are built for x86-64-v4.
bool mr_widest_processor(void) MR_REALTIME;

/// Begins and ends a section that the RealtimeSanitizer watches on the calling thread. Sections may be nested. In ordinary builds both do
/// nothing.
void mr_rt_enter(void) MR_REALTIME;
void mr_rt_exit(void) MR_REALTIME;

/// Sleeps 50 microseconds on the audio thread, unwatched by the sanitizer. Only for a server that freewheels: there the audio must wait for
/// the disk, and no device plays the sound.
void mr_freewheel_nap(void) MR_REALTIME;

/// Wakes the thread, also of another process, that waits for a word of shared memory (futex(2)). The system call never waits for another
/// thread, but takes up to 12 microseconds.
void mr_word_wake(void *word) MR_REALTIME;

/// Waits until `mr_word_wake` is called for a word of 32 bits, or until a time of `mr_monotonic_nanoseconds`. Returns at once if the word has
/// another value.
void mr_word_wait(void *word, uint32_t value, uint64_t until);

/// Whether `mr_rt_enter` does anything in this build.
bool mr_rt_is_watched(void);

/// Names a thread, given by its `pthread_t`, as `top -H` shows it. The name has at most 15 bytes.
void mr_thread_name(unsigned long thread, const char *name);

/// Gives the calling thread the processor and the disk only while nothing else wants them (SCHED_IDLE, I/O class idle). What the system refuses
/// is left as it is.
void mr_thread_background(void);

/// Gives the calling thread a real-time priority (SCHED_FIFO) from 1 to 99. What the system refuses is left as it is.
void mr_thread_realtime(int priority);

/// Locks the process's memory, so that the audio thread never waits for a page that was swapped out; false if the system does not allow
/// this. A page is locked when it is first used, because locking whole stacks at once would take tens of megabytes.
bool mr_lock_memory(void);
