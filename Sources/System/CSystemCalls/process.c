#define _GNU_SOURCE
#include "process.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <unistd.h>

// Those that Swift's runtime answers with a backtrace, where its toolchain is installed.
static const int crashes[] = {SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};

// In C, since prctl is variadic and Swift calls no variadic functions.
int bump_process_forbid_dumps(void) {
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) {
    struct sigaction action;
    if (sigaction(crashes[i], NULL, &action) != 0) return -1;
    // What our parent wants ignored stays so.
    if (!(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_IGN) continue;
    if (signal(crashes[i], SIG_DFL) == SIG_ERR) return -1;
  }
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

// In C, since Swift does not see pipe2.
int bump_process_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

// In C, since Swift does not see it.
int bump_process_close_from(posix_spawn_file_actions_t *actions, int from) {
  return posix_spawn_file_actions_addclosefrom_np(actions, from);
}
