import Glibc

/// Prepares Avahi's dns_sd.h library, once and before its first call.
let libraryIsReady: Void = {
  // Otherwise the library prints to stderr that the program should be ported to another API.
  setenv("AVAHI_COMPAT_NOWARN", "1", 1)
}()
