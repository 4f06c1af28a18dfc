import Lab
import Testing

/// A host with two interfaces on one network, as a laptop has with its cable in and its radio on: it hears itself.
@Suite(.live) struct TwinTests {
  enum Twice: CaseIterable { case sender, receiver, both }

  @Test(arguments: Twice.allCases)
  func `a host that is on a network twice bumps like any other`(twice: Twice) async throws {
    try await withHosts(["left", "right", "switch"]) { hosts in
      let (left, right) = (hosts[0], hosts[1])
      let hub = try await Switch(at: hosts[2])
      try await hub.join(left, number: 1)
      try await hub.join(right, number: 2)
      if twice != .receiver { try await hub.join(left, number: 11, cable: 1) }
      if twice != .sender { try await hub.join(right, number: 12, cable: 1) }
      async let starting: Void = left.start(.needed)
      try await right.start(.needed)
      try await starting
      for round in 1...3 {
        let (alice, bob) = (try BumpCommand("alice\(round)", on: left), try BumpCommand("bob\(round)", on: right))
        let sending = try await alice.start("send", "--amount", "1.00", "--json")
        try await sending.event("advertising")
        let received = try await bob.run("receive", "--json")
        #expect(received.status == 0, "\(received)")
        #expect(try await sending.finish().status == 0)
      }
    }
  }
}
