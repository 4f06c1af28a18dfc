import Lab
import Testing

@Suite(.live) struct DeliveryTests {
  @Test(arguments: [
    (Addressing.ipv4, "10.77.0.1"), (.ipv6, "fd77::1"), (.linkLocal, "fe80::1"), (.all, ""),
  ])
  func `a claim is delivered between two hosts`(addressing: Addressing, address: String) async throws {
    try await withTwoHosts(addressing) { left, right, _ in
      let (alice, bob) = (try BumpCommand("alice", on: left), try BumpCommand("bob", on: right))
      async let sending = alice.run("send", "--amount", "1.00", "--json")
      let received = try await bob.run("receive", "--json")
      let sent = try await sending
      #expect(sent.status == 0, "\(sent)")
      #expect(received.status == 0, "\(received)")
      let peer = try received.events.first { $0.string("event") == "connected" }?.string("peer")
      #expect(address.isEmpty || peer?.contains(address) == true, "\(received)")
      #expect(try await alice.history().first?.string("claimId") == bob.history().first?.string("claimId"))
    }
  }

  @Test func `it does not matter that the sender comes first`() async throws {
    try await withTwoHosts { left, right, _ in
      let (alice, bob) = (try BumpCommand("alice", on: left), try BumpCommand("bob", on: right))
      let sending = try await alice.start("send", "--amount", "1.00", "--json")
      try await sending.event("advertising")
      let received = try await bob.run("receive")
      #expect(received.status == 0, "\(received)")
      #expect(try await sending.finish().status == 0)
    }
  }

  @Test func `it does not matter that the receiver comes first`() async throws {
    try await withTwoHosts { left, right, _ in
      let (alice, bob) = (try BumpCommand("alice", on: left), try BumpCommand("bob", on: right))
      let receiving = try await bob.start("receive", "--json")
      try await receiving.event("browsing")
      let sent = try await alice.run("send", "--amount", "1.00")
      #expect(sent.status == 0, "\(sent)")
      #expect(try await receiving.finish().status == 0)
    }
  }

  @Test func `both sides keep to the interface they are given`() async throws {
    try await withTwoHosts { left, right, link in
      let (alice, bob) = (try BumpCommand("alice", on: left), try BumpCommand("bob", on: right))
      let cable = try #require(link.interface(of: right))
      let sending = try await alice.start("send", "--amount", "1.00", "--json")
      try await sending.event("advertising")
      let elsewhere = try await bob.run("receive", "--interface", "lo", "--discovery-timeout", "2")
      #expect(elsewhere.status == 3, "\(elsewhere)")
      let here = try await bob.run("receive", "--interface", cable)
      #expect(here.status == 0, "\(here)")
      #expect(try await sending.finish().status == 0)

      let hidden = try await alice.start(
        "send", "--amount", "1.00", "--interface", "lo", "--discovery-timeout", "3", "--json")
      try await hidden.event("advertising")
      let nobody = try await bob.run("receive", "--discovery-timeout", "2")
      #expect(nobody.status == 3, "\(nobody)")
      #expect(try await hidden.finish().status == 3)
    }
  }
}
