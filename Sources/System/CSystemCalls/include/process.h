#ifndef BUMP_PROCESS_H
#define BUMP_PROCESS_H

#include <spawn.h>

/// Keeps the memory of this process out of core dumps, and other processes of the same user out of it
/// (PR_SET_DUMPABLE of prctl(2)), and out of the backtrace of a crash, which would show what the registers
/// point to. 0, or -1 with errno set.
int bump_process_forbid_dumps(void);

/// Makes a pipe that no child process inherits, not even one that another thread starts at this moment (pipe2(2)).
/// 0, or -1 with errno set.
int bump_process_pipe(int ends[2]);

/// Has a child that is spawned inherit no descriptor from this number on (posix_spawn_file_actions_addclosefrom_np of
/// glibc 2.34). 0, or an error number.
int bump_process_close_from(posix_spawn_file_actions_t *actions, int from);

#endif
