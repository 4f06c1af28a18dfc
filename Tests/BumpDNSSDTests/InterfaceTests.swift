import BumpDNSSD
import BumpDiscovery
import Testing

@Suite struct InterfaceTests {
  @Test func `an interface is known by its name`() {
    #expect(DNSSDDiscovery.interfaceIndex("lo") != nil)
    #expect(DNSSDDiscovery.interfaceIndex("no such one") == nil)
  }
}
