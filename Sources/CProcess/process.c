#include "process.h"

#include <sys/prctl.h>

// In C, since prctl is variadic and Swift calls no variadic functions.
int bump_process_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
