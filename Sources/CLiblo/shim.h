#pragma once
#include <lo/lo.h>

// Two calls of the C library that the Glibc module of Swift leaves out; the network thread needs both.

// Wakes a thread that waits in poll().
#include <sys/eventfd.h>

// Declared here because the C library hides it unless all of it is compiled with extensions.
int pthread_setname_np(pthread_t thread, const char *name);
