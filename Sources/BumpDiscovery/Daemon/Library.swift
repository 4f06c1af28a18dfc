import Glibc

/// Makes the library behind dns_sd.h fit for use, once and before the first call of it.
let libraryIsReady: Void = {
  // It would advise every user on stderr to port the program to another API.
  setenv("AVAHI_COMPAT_NOWARN", "1", 1)
}()
