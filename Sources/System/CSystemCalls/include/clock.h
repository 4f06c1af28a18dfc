#ifndef BUMP_CLOCK_H
#define BUMP_CLOCK_H

/// Whether something keeps the system's clock in step with another (STA_UNSYNC of adjtimex(2)): 1 or 0, or -1 where
/// the kernel does not say.
int bump_clock_is_synchronized(void);

#endif
