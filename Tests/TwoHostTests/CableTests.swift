import Glibc
import Lab
import Testing

@Suite(.live) struct CableTests {
  @Test func `a cable pulled while the sender's person decides leaves the claim unknown, and its link brings it`()
    async throws
  {
    try await withTwoHosts { left, right, link in
      let (alice, bob) = (try BumpCommand("alice", on: left), try BumpCommand("bob", on: right))
      let sending = try await alice.start("send", "--amount", "1.00", "--verify", streams: .terminalButOutput)
      let receiving = try await bob.start("receive")
      try await sending.text("[Y/n]", on: .error)
      try await link.unplug(right)
      let answered = ContinuousClock.now
      sending.type("y\n")
      let sent = try await sending.finish()
      #expect(sent.status == 5, "\(sent)")
      #expect(answered.duration(to: try #require(sending.ended)) < .seconds(10))
      #expect(try await alice.states() == ["unknown"])
      // It was told that the sender's person takes time, and goes on waiting for that.
      receiving.signal(SIGINT)
      let received = try await receiving.finish()
      #expect(received.status == 130, "\(received)")
      #expect(try await bob.history().isEmpty)

      let shown = try #require(sent.lines.first { $0.hasPrefix("https://irl.app/claim/") }, "\(sent)")
      let scanned = try await bob.run("receive", "--link", shown)
      #expect(scanned.status == 0, "\(scanned)")
      #expect(try await alice.history().first?.string("claimId") == bob.history().first?.string("claimId"))
    }
  }
}
