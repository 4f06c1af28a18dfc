import CAvahi
import Glibc

/// Makes the library behind dns_sd.h fit for use, once and before the first call of it.
let libraryIsReady: Void = {
  // It would advise every user on stderr to port the program to another API.
  setenv("AVAHI_COMPAT_NOWARN", "1", 1)
  // Up to Avahi 0.8 a DNSServiceRef is not zeroed, and when the daemon dies, a Resolve or QueryRecord in waiting calls
  // what lies where Browse would keep its callback. Memory that Avahi gets here is zero, so there is nothing to call.
  let allocator = UnsafeMutablePointer<AvahiAllocator>.allocate(capacity: 1)
  allocator.initialize(
    to: AvahiAllocator(
      malloc: { calloc(1, $0) }, free: { free($0) }, realloc: { realloc($0, $1) }, calloc: { calloc($0, $1) }))
  avahi_set_allocator(allocator)
}()
