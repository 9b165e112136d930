#define _GNU_SOURCE
#include "CSpawn.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// Runs in the child until it becomes another program. Until then the child uses the parent's memory, so this function writes nothing but
/// `failure` and calls nothing that could wait for another thread of the parent.
static void become(const struct mr_spawn_request *request, pid_t parent, volatile int *failure) {
  struct sigaction usual = {.sa_handler = SIG_DFL};
  for (int number = 1; number < NSIG; number++) sigaction(number, &usual, NULL);
  sigset_t none;
  sigemptyset(&none);
  if (request->new_session) setsid();
  if (request->ends_with_thread) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // If the parent ended before that call, no signal comes.
    if (getppid() != parent) _exit(127);
  }
  // First copies with numbers above 2, because a descriptor may have the number that another one must get.
  int copies[3];
  for (int index = 0; index < 3; index++) {
    int copy = dup(request->descriptors[index]);
    while (copy >= 0 && copy < 3) copy = dup(copy);
    copies[index] = copy;
  }
  for (int index = 0; index < 3; index++) {
    if (copies[index] < 0 || dup2(copies[index], index) < 0) goto failed;
  }
  for (int index = 0; index < 3; index++) close(copies[index]);
  sigprocmask(SIG_SETMASK, &none, NULL);
  // Another thread's child may still have a program file open that was just written (ETXTBSY). It closes the file when it becomes another
  // program itself.
  const struct timespec moment = {.tv_nsec = 1000000};
  for (int attempt = 0; attempt < 500; attempt++) {
    execvpe(request->path, request->arguments, request->environment);
    if (errno != ETXTBSY) break;
    nanosleep(&moment, NULL);
  }
failed:
  *failure = errno;
  _exit(127);
}

int mr_spawn(const struct mr_spawn_request *request) {
  volatile int failure = 0;
  pid_t parent = getpid();
  // The child uses this process's memory, so no signal handler of this process may run there.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  // Unlike fork, vfork copies no page tables. fork would make the audio thread's pages read-only for a while.
  pid_t child = vfork();
  if (child == 0) become(request, parent, &failure);
  int code = child < 0 ? errno : failure;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (child < 0) return -code;
  if (code == 0) return child;
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
  return -code;
}

int mr_process_descriptor(int identifier) {
  // The system makes this descriptor close on exec.
  long descriptor = syscall(SYS_pidfd_open, identifier, 0);
  return descriptor < 0 ? -errno : (int)descriptor;
}
