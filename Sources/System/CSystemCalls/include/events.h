#ifndef BUMP_EVENTS_H
#define BUMP_EVENTS_H

// epoll(7) and eventfd(2), which Glibc's module does not have.
#include <sys/epoll.h>
#include <sys/eventfd.h>

#endif
