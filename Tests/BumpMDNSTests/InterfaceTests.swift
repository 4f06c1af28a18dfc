import Testing

@testable import BumpMDNS

@Suite struct InterfaceTests {
  /// The flags of netdevice(7).
  @Test func `an interface is of use when it is up, has a carrier and neighbours`() {
    let (up, loopback, pointToPoint, running, multicast): (UInt32, UInt32, UInt32, UInt32, UInt32) = (
      0x1, 0x8, 0x10, 0x40, 0x1000
    )
    #expect(Interface.Flags.areOfUse(up | running | multicast))
    #expect(Interface.Flags.areOfUse(up | running | loopback))
    #expect(!Interface.Flags.areOfUse(up | multicast), "no carrier")
    #expect(!Interface.Flags.areOfUse(running | multicast))
    #expect(!Interface.Flags.areOfUse(up | running))
    #expect(!Interface.Flags.areOfUse(up | running | multicast | pointToPoint), "a tunnel")
  }

  @Test func `this host has at least an address on lo, and one interface can be chosen`() throws {
    let all = Interface.current()
    let lo = try #require(all.first { $0.addresses.contains { $0.bytes == [127, 0, 0, 1] } })
    #expect(lo.addresses.first { $0.bytes == [127, 0, 0, 1] }?.prefix == 8)
    #expect(Interface.current(only: lo.index) == [lo])
    #expect(Interface.current(only: .max).isEmpty)
  }

  @Test func `a network is told by its prefix`() {
    let address = LocalAddress(bytes: [10, 77, 128, 1], prefix: 17)
    #expect(address.isOnNetwork([10, 77, 255, 9]))
    #expect(!address.isOnNetwork([10, 77, 127, 9]))
    #expect(!address.isOnNetwork([UInt8](repeating: 10, count: 16)))
    #expect(LocalAddress(bytes: [1, 2, 3, 4], prefix: 0).isOnNetwork([9, 9, 9, 9]))
    #expect(LocalAddress(bytes: [1, 2, 3, 4], prefix: 99).isOnNetwork([1, 2, 3, 4]))
  }
}
