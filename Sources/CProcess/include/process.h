#ifndef BUMP_PROCESS_H
#define BUMP_PROCESS_H

/// Keeps the memory of this process out of core dumps, and other processes of the same user out of it
/// (PR_SET_DUMPABLE of prctl(2)), and out of the backtrace of a crash, which would show what the registers
/// point to. 0, or -1 with errno set.
int bump_process_forbid_dumps(void);

/// Makes a pipe that no child process inherits, not even one that another thread starts at this moment (pipe2(2)).
/// 0, or -1 with errno set.
int bump_process_pipe(int ends[2]);

#endif
