import Lab
import Measures
import Testing

@Suite(.live, .serialized) struct ForgedTests {
  @Test(arguments: Measure.isThorough ? Forger.survived : [.instances])
  func `amid forged records a receiver finds the sender, and neither grows`(forger: Forger) async throws {
    try await withTwoHosts { left, right, _ in
      let (alice, bob) = (try BumpCommand("alice", on: left), try BumpCommand("bob", on: right))
      if forger != .records { try await forger.forge(on: left) }
      let sending = try await alice.start("send", "--amount", "1.00", "--discovery-timeout", "60", "--json")
      try await sending.event("advertising")
      // The daemon's cache holds four thousand records of whomever, and then nobody's: the sender must be in it.
      if forger == .records { try await forger.forge(on: left) }
      let receiving = try await bob.start(
        "receive", "--from", "alice", "--verify", "--discovery-timeout", "60", "--json", streams: .terminalButOutput)
      // It asks, so both can be looked at while they are still there.
      // Where a busy machine's daemon misses the quarter of a second that is its first turn, it waits for its second
      // behind a thousand others.
      try await receiving.text("[y/n]", on: .error)
      let (sender, receiver) = (try sending.peakMemory(), try receiving.peakMemory())
      receiving.type("y\n")
      let received = try await receiving.finish()
      let sent = try await sending.finish()
      #expect(received.status == 0 && sent.status == 0, "\(received)\n\(sent)")
      #expect(max(sender, receiver) < 64 << 20, "\(sender) and \(receiver) bytes")
    }
  }

  /// They end avahi-daemon 0.8, and would end whatever has libavahi-core in it.
  @Test func `aliases that come between CLAIM and STORED end neither side`() async throws {
    try await withTwoHosts(.ipv4, daemons: .none) { left, right, link in
      let (alice, bob) = (try BumpCommand("alice", on: left), try BumpCommand("bob", on: right))
      let embedded = ["--discovery", "embedded", "--discovery-timeout", "60", "--json"]
      let sending = try await alice.start(["send", "--amount", "1.00"] + embedded)
      let receiving = try await bob.start(["receive", "--verify"] + embedded, streams: .terminalButOutput)
      try await receiving.text("[y/n]", on: .error)
      try await Forger.aliases.forge(on: left)
      let packets = try await right.watch(
        try #require(link.interface(of: right)), for: "udp src port 5353 and greater 1000")
      // The claim cannot be stored while somebody else writes: bump waits for five seconds.
      let writing = try await right.spawn(["python3", "-uc", Self.writer, try #require(bob.environment["BUMP_STORE"])])
      try await writing.line { $0 == "writing" }
      receiving.type("y\n")
      try await sending.event("accepted")
      let before = packets.standardOutput.lines.count { $0.contains("CNAME") }
      try await packets.lines(before + 1) { $0.contains("CNAME") }
      #expect(!receiving.standardOutput.text.contains("\"stored\""), "it is not stored yet")
      writing.closeInput()
      let (received, sent) = (try await receiving.finish(), try await sending.finish())
      #expect(received.status == 0 && sent.status == 0, "\(received)\n\(sent)")
      #expect(try await alice.states() == ["delivered"])
      #expect(try await bob.history().count == 1)
    }
  }

  /// Writes to a store until its input ends.
  private static let writer = """
    import sqlite3, sys
    store = sqlite3.connect(sys.argv[1], isolation_level=None)
    store.execute("BEGIN IMMEDIATE")
    print("writing")
    sys.stdin.read()
    """
}
