import Glibc
import Lab
import Testing

@Suite(.live) struct CableTests {
  @Test func `a cable pulled while the sender's person decides leaves the claim unknown, and its link brings it`()
    async throws
  {
    try await withTwoHosts { left, right, link in
      let (alice, bob) = (try BumpCommand("alice", on: left), try BumpCommand("bob", on: right))
      let sending = try await alice.start("send", "--amount", "1.00", "--verify", "--json", streams: .terminalButOutput)
      let receiving = try await bob.start("receive")
      try await sending.text("[y/n]", on: .error)
      try await link.unplug(right)
      let answered = ContinuousClock.now
      sending.type("y\n")
      let sent = try await sending.finish()
      #expect(sent.status == 5, "\(sent)")
      let fallback = try #require(try sent.events.first { $0.string("event") == "fallback" }, "\(sent)")
      // Five seconds in one session: it has waited for the receiver before, for a moment.
      let waited = try answered.duration(to: sending.moment(of: fallback))
      #expect((.seconds(4)...(.seconds(5.5))).contains(waited), "\(waited): \(sent)")
      #expect(try await alice.states() == ["unknown"])
      // It was told that the sender's person takes time, and goes on waiting for that.
      receiving.signal(SIGINT)
      let received = try await receiving.finish()
      #expect(received.status == 130, "\(received)")
      #expect(try await bob.history().isEmpty)

      let shown = try #require(fallback.string("link"))
      let scanned = try await bob.run("receive", "--link", shown)
      #expect(scanned.status == 0, "\(scanned)")
      #expect(try await alice.history().first?.string("claimId") == bob.history().first?.string("claimId"))
    }
  }
}
