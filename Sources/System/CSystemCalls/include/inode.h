#ifndef BUMP_INODE_H
#define BUMP_INODE_H

#include <stdint.h>

/// The inode that a path leads to: its number, and when it was made. Zeros where the file system does not say when.
struct bump_inode {
  uint64_t number;
  int64_t seconds;
  uint32_t nanoseconds;
};

/// 0, or -1 with errno (statx(2)).
int bump_inode(const char *path, struct bump_inode *inode);

#endif
