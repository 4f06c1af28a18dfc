// libFuzzer's interface to a program that has a main function of its own, as its documentation gives it.
// -sanitize=fuzzer links it.
#include <stddef.h>
#include <stdint.h>

/// What each target defines.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
