#pragma once
#include <lo/lo.h>

// The Glibc module of Swift leaves it out, because the C library hides it unless all of it is compiled with extensions.
int pthread_setname_np(pthread_t thread, const char *name);
