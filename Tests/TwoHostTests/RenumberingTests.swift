import Lab
import Testing

/// A host that has another address while its sender waits, as when it changes networks or its lease runs out.
@Suite(.live) struct RenumberingTests {
  struct Change: CustomTestStringConvertible {
    let addressing: Addressing
    /// The sender's, each with the length of its network's prefix.
    let (old, new): (String, String)
    /// One that the receiver needs beside its own to reach the new one.
    var receivers: String?

    var testDescription: String { "\(old) to \(new)" }
  }

  static let changes = [
    Change(addressing: .ipv4, old: "10.77.0.1/24", new: "10.77.0.11/24"),
    Change(addressing: .ipv4, old: "10.77.0.1/24", new: "10.78.0.1/24", receivers: "10.78.0.2/24"),
    Change(addressing: .ipv6, old: "fd77::1/64", new: "fd78::1/64", receivers: "fd78::2/64"),
  ]

  enum Order: CaseIterable { case oldGoesFirst, newComesFirst }

  @Test(arguments: changes, Order.allCases)
  func `a sender whose address changes while it waits is reached at the new one`(change: Change, order: Order)
    async throws
  {
    try await withTwoHosts(change.addressing) { left, right, link in
      let (alice, bob) = (try BumpCommand("alice", on: left), try BumpCommand("bob", on: right))
      let sending = try await alice.start("send", "--amount", "1.00", "--discovery-timeout", "60", "--json")
      // Somebody has looked before, so that a daemon there has the old address in its cache.
      let browsing = try await bob.start("browse", "--json", "--discovery", Backend.current.rawValue)
      let seen = try await browsing.event("resolved").string("address")
      #expect(seen?.contains(address(change.old)) == true)

      let (near, far) = (try #require(link.interface(of: left)), try #require(link.interface(of: right)))
      if let address = change.receivers {
        try await right.shell("ip address add \(address) dev \(far) \(flags(address))")
      }
      let remove = "ip address del \(change.old) dev \(near)"
      let add = "ip address add \(change.new) dev \(near) \(flags(change.new))"
      let steps = order == .oldGoesFirst ? [remove, add] : [add, remove]
      // Else the first address of a network takes the others with it.
      try await left.shell("echo 1 >/proc/sys/net/ipv4/conf/\(near)/promote_secondaries")
      for step in steps { try await left.shell(step) }

      let received = try await bob.run("receive", "--json")
      #expect(received.status == 0, "\(received)")
      let peer = try received.events.first { $0.string("event") == "connected" }?.string("peer")
      // Amid the change an address that the kernel made is the only one of IPv6, and whoever came then learnt of that.
      let isLinkLocal = change.addressing == .ipv6 && peer?.hasPrefix("[fe80:") == true
      #expect(peer?.contains(address(change.new)) == true || isLinkLocal, "\(received)")
      #expect(try await sending.finish().status == 0)
    }
  }

  /// As it stands before a port.
  private func address(_ prefix: String) -> String {
    let address = prefix.prefix { $0 != "/" }
    return address.contains(":") ? "[\(address)]:" : "\(address):"
  }

  private func flags(_ address: String) -> String { address.contains(":") ? "nodad" : "" }
}
