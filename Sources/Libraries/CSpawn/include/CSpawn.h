#pragma once
#include <stdbool.h>

/// How `mr_spawn` starts a program.
struct mr_spawn_request {
  /// A path, or a name that is looked up in PATH.
  const char *path;
  /// Arguments, beginning with the program's name, and `NAME=value` variables. Both end with a null pointer.
  char *const *arguments;
  char *const *environment;
  /// The descriptors that become standard input, output and error. The child also inherits every other descriptor that is not marked to
  /// close on exec.
  int descriptors[3];
  /// Whether the child begins a terminal session of its own, so that Ctrl-C does not reach it.
  bool new_session;
  /// Whether the system kills the child when the calling thread ends for any reason.
  bool ends_with_thread;
};

/// Starts a program, with no signal blocked or ignored, and returns its process id or a negative error number. Unlike `posix_spawnp` it can
/// make the child end with the calling thread. The caller waits until the program is loaded.
int mr_spawn(const struct mr_spawn_request *request);

/// A descriptor that becomes readable when a child has ended, or a negative error number. The child must not have been waited for before.
/// The descriptor closes on exec.
int mr_process_descriptor(int identifier);
