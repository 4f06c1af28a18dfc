#define _GNU_SOURCE
#include "inode.h"

#include <fcntl.h>
#include <sys/stat.h>

int bump_inode(const char *path, struct bump_inode *inode) {
  struct statx status;
  if (statx(AT_FDCWD, path, 0, STATX_INO | STATX_BTIME, &status) != 0) return -1;
  int has_birth = (status.stx_mask & STATX_BTIME) != 0;
  inode->number = status.stx_ino;
  inode->seconds = has_birth ? status.stx_btime.tv_sec : 0;
  inode->nanoseconds = has_birth ? status.stx_btime.tv_nsec : 0;
  return 0;
}
