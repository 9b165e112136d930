#pragma once
#include <stdbool.h>

/// How `mr_spawn` starts a program.
struct mr_spawn_request {
  /// A path, or a name that is looked up in our PATH.
  const char *path;
  /// Both end with a null pointer.
  char *const *arguments;
  char *const *environment;
  /// What become standard input, output and error; all other descriptors that are not closed on exec are inherited.
  int descriptors[3];
  /// Whether it leaves our session.
  bool new_session;
  /// Whether the system kills it when the calling thread ends, however that comes about.
  bool ends_with_thread;
};

/// Starts a program with no signal blocked or ignored, as `posix_spawnp` does, which cannot tie a child to its parent's life.
/// Returns its process id, or a negative error number. The caller is held up until the program is loaded.
int mr_spawn(const struct mr_spawn_request *request);

/// A descriptor that becomes readable when a child that was not waited for yet has ended, closed on exec; or a negative error
/// number.
int mr_process_descriptor(int identifier);
