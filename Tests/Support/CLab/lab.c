#define _GNU_SOURCE
#include "lab.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

int lab_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int lab_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC); }

int lab_terminal(int ends[2], unsigned short rows, unsigned short columns) {
  struct winsize size = {.ws_row = rows, .ws_col = columns};
  char name[64];
  ends[0] = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (ends[0] < 0) return -1;
  if (grantpt(ends[0]) == 0 && unlockpt(ends[0]) == 0 && ptsname_r(ends[0], name, sizeof name) == 0) {
    ends[1] = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (ends[1] >= 0 && ioctl(ends[1], TIOCSWINSZ, &size) == 0) return 0;
    if (ends[1] >= 0) close(ends[1]);
  }
  int code = errno;
  close(ends[0]);
  errno = code;
  return -1;
}

int lab_refuse_rename(int code) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#ifdef SYS_rename
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rename, 2, 0),
#else
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_renameat, 2, 0),
#endif
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_renameat2, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | code),
  };
  struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
  // Without the right to gain others, a thread may filter its calls.
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int enter(int process, const char *name, int type) {
  char path[32];
  snprintf(path, sizeof path, "/proc/%d/ns/%s", process, name);
  int space = open(path, O_RDONLY | O_CLOEXEC);
  if (space < 0) return -1;
  int done = setns(space, type);
  int code = errno;
  close(space);
  errno = code;
  return done;
}

int lab_enter_mounts(int process) {
  // Its directory and root are shared with the other threads, and those may not come along.
  return unshare(CLONE_FS) == 0 ? enter(process, "mnt", CLONE_NEWNS) : -1;
}

int lab_enter_network(int process) { return enter(process, "net", CLONE_NEWNET); }

int lab_holds(const void *bytes, size_t count, const void *sought, size_t sought_count) {
  return memmem(bytes, count, sought, sought_count) != NULL;
}
