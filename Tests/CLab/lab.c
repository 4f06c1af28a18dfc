#define _GNU_SOURCE
#include "lab.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
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

void lab_hurry(void) { setpriority(PRIO_PROCESS, 0, -10); }
