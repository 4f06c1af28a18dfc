#ifndef BUMP_NETLINK_H
#define BUMP_NETLINK_H

// rtnetlink(7), which Glibc's module does not have.
#include <linux/rtnetlink.h>

#endif
