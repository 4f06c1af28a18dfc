import Testing

@testable import BumpMDNS

/// A family whose port another process holds.
@Suite struct HeldFamiliesTests {
  @Test func `a family that is held is reported once, and once more when it is back`() {
    var families = HeldFamilies()
    #expect(families.note(refused: [.ipv4], open: [.ipv6]) == [.held(.ipv4)])
    #expect(families.note(refused: [.ipv4], open: [.ipv6]) == [])
    // The interface with the family has gone: nothing is known.
    #expect(families.note(refused: [], open: [.ipv6]) == [])
    #expect(families.note(refused: [], open: [.ipv4, .ipv6]) == [.back(.ipv4)])
    #expect(families.note(refused: [], open: [.ipv4, .ipv6]) == [])
    #expect(families.note(refused: [.ipv4], open: [.ipv6]) == [.held(.ipv4)], "it is held again")
  }

  @Test func `a family with a socket on another interface is not lost, and without any family nothing is reported`() {
    var families = HeldFamilies()
    #expect(families.note(refused: [.ipv4], open: [.ipv4]) == [])
    #expect(families.note(refused: [.ipv4, .ipv6], open: []) == [])
  }

  @Test func `a held port is tried again, less and less often, and at least each 64 seconds`() {
    var families = HeldFamilies()
    #expect(families.delay(refused: []) == nil)
    let delays = (1...9).map { _ in families.delay(refused: [.ipv6]) }
    #expect(delays == [1, 2, 4, 8, 16, 32, 64, 64, 64].map { .seconds($0) })
    #expect(families.delay(refused: []) == nil)
    #expect(families.delay(refused: [.ipv6]) == .seconds(1), "held again, it is tried soon")
  }
}
