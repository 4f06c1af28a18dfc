import CAvahi
import Glibc
import Testing

@testable import BumpDiscovery

@Suite struct LibraryTests {
  /// A `DNSServiceRef` of Avahi 0.8 that is not zeroed makes a question in waiting crash when the daemon dies.
  @Test func `what Avahi allocates is zero, though the memory was in use before`() throws {
    _ = libraryIsReady
    for _ in 0..<100 {
      let used = try #require(malloc(248))
      memset(used, 0xA5, 248)
      free(used)
      let fresh = try #require(avahi_malloc(248))
      defer { avahi_free(fresh) }
      try #require(UnsafeRawBufferPointer(start: fresh, count: 248).allSatisfy { $0 == 0 })
    }
  }

  @Test func `an interface is known by its name`() {
    #expect(DNSSDDiscovery.interfaceIndex("lo") != nil)
    #expect(DNSSDDiscovery.interfaceIndex("no such one") == nil)
  }
}
