#ifndef BUMP_LAB_H
#define BUMP_LAB_H

#include <stddef.h>

// Descriptors that no child inherits, from the moment they are there. Each call returns 0 or a descriptor, or -1 with errno
// set. In C, since they are GNU extensions (feature_test_macros(7)), which Swift's Glibc leaves out.

/// Makes a pipe (pipe2(2)): the read end first.
int lab_pipe(int ends[2]);

/// Takes a connection from a listening socket (accept4(2)).
int lab_accept(int listener);

/// Makes a terminal (pty(7)): our side first, then that of who uses it.
int lab_terminal(int ends[2], unsigned short rows, unsigned short columns);

/// Has every rename of the calling thread fail with this error, for good (seccomp(2)).
int lab_refuse_rename(int code);

/// Moves the calling thread into the mount namespace of a process, for good (setns(2)).
int lab_enter_mounts(int process);

/// Moves the calling thread into the network namespace of a process, for good (setns(2)).
int lab_enter_network(int process);

/// Whether bytes are somewhere in others, one after the other (memmem(3)).
int lab_holds(const void *bytes, size_t count, const void *sought, size_t sought_count);

#endif
