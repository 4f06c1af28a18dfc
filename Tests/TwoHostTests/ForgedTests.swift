import Lab
import Testing

@Suite(.live, .serialized) struct ForgedTests {
  @Test(arguments: Forger.survived)
  func `amid forged records a receiver finds the sender, and neither grows`(forger: Forger) async throws {
    try await withTwoHosts { left, right, _ in
      let (alice, bob) = (try BumpCommand("alice", on: left), try BumpCommand("bob", on: right))
      if forger != .records { try await forger.forge(on: left) }
      let sending = try await alice.start("send", "--amount", "1.00", "--discovery-timeout", "60", "--json")
      try await sending.event("advertising")
      // The daemon's cache holds four thousand records of whomever, and then nobody's: the sender must be in it.
      if forger == .records { try await forger.forge(on: left) }
      let receiving = try await bob.start(
        "receive", "--from", "alice", "--verify", "--discovery-timeout", "50", "--json", streams: .terminalButOutput)
      // It asks, so both can be looked at while they are still there.
      // Where a busy machine's daemon misses the quarter of a second that is its first turn, it waits for its second
      // behind a thousand others.
      try await receiving.text("[y/n]", on: .error, within: .seconds(60))
      let (sender, receiver) = (try sending.peakMemory(), try receiving.peakMemory())
      receiving.type("y\n")
      let received = try await receiving.finish()
      let sent = try await sending.finish()
      #expect(received.status == 0 && sent.status == 0, "\(received)\n\(sent)")
      #expect(max(sender, receiver) < 64 << 20, "\(sender) and \(receiver) bytes")
    }
  }
}
