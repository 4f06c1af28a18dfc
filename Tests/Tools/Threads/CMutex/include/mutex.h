#pragma once

// Swift's `Mutex`, made visible to ThreadSanitizer.
//
// A thread that takes or releases a `Mutex` nobody waits for does so by an atomic operation of its own code, which the
// sanitizer sees. One that has to wait, or to wake another, calls libswiftSynchronization, which is not built for the
// sanitizer and asks the kernel (FUTEX_LOCK_PI): of that order the sanitizer learns nothing, and it reports what the lock
// guards as a race. The functions of mutex.c stand before the three of the library, call them, and tell the sanitizer. They are
// linked with the tests that Tests/Tools/Threads/run.sh builds, and with nothing else.
