#pragma once
// What Swift's own module of the C library leaves out.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

// The C library declares these only for programs that ask for GNU's extensions, which that module does not.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *size, int flags);
extern int pipe2(int descriptors[2], int flags);
extern int fallocate(int descriptor, int mode, off_t offset, off_t length);
extern int memfd_create(const char *name, unsigned int flags);
extern int renameat2(int old_folder, const char *old_path, int new_folder, const char *new_path, unsigned int flags);
