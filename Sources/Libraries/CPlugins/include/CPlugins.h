#pragma once
#include <lv2/log/log.h>
#include <stdint.h>

/// What a host of LV2 plugins needs and Swift cannot express: functions with a variable number of arguments, and a handler of signals.

/// Whose messages a log feature writes; exists as long as the plugin.
struct mr_plugin_log_source {
  const char *name;
  /// The number of the type `log:Trace`. Traces, which a plugin may write on the audio thread, are dropped.
  LV2_URID trace;
};

/// The log feature of a plugin. Each message becomes a line of standard error that begins with the name.
LV2_Log_Log mr_plugin_log(struct mr_plugin_log_source *source);

/// Has a crash of this process noted: before the system ends the process, the number of the thread that crashed is stored in `thread`.
void mr_crash_note(int64_t *thread);

/// Gives the calling thread a stack on which a crash is noted even if its own stack is full, and returns the number of the thread.
int64_t mr_crash_thread(void);
