import Glibc
import Lab
import Testing

@Suite(.live) struct CableTests {
  @Test func `a cable pulled while the sender's person decides leaves the claim unknown, and its link brings it`()
    async throws
  {
    try await withTwoHosts { left, right, link in
      let (alice, bob) = (try BumpCommand("alice", on: left), try BumpCommand("bob", on: right))
      let sending = try await alice.start(
        "send", "--amount", "1.00", "--send-timeout", "5", "--verify", "--json", streams: .terminalButOutput)
      let receiving = try await bob.start("receive")
      try await sending.text("[y/n]", on: .error)
      try await link.unplug(right)
      sending.type("y\n")
      let sent = try await sending.finish()
      #expect(sent.status == 5, "\(sent)")
      let fallback = try #require(try sent.events.first { $0.string("event") == "fallback" }, "\(sent)")
      // Five seconds in one session: it has waited for the receiver before, for a moment.
      #expect(try sent.time(from: "sent", to: "fallback") >= .seconds(4), "\(sent)")
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

  enum End: CaseIterable { case timeout, interrupt, kill }

  /// The receiver waits for a minute, as it was told; the sender's kernel must not bring it then what was given up.
  @Test(arguments: End.allCases)
  func `a claim that could not leave before its sender's end does not arrive by a cable that comes back later`(end: End)
    async throws
  {
    try await withTwoHosts { left, right, link in
      let (alice, bob) = (try BumpCommand("alice", on: left), try BumpCommand("bob", on: right))
      let sending = try await alice.start(
        "send", "1.00", "--send-timeout", "5", "--verify", "--json", streams: .terminalButOutput)
      let receiving = try await bob.start("receive")
      let port = Int(try #require(try await sending.event("advertising").number("port")))
      try await sending.text("[y/n]", on: .error)
      try await link.unplug(right)
      let kernel = try await left.spawn(["sh", "-c", Self.kernel, "sh", "\(port)"])
      sending.type("y\n")
      try await kernel.line { $0 == "unsent" }
      switch end {
      case .timeout: break
      case .interrupt: sending.signal(SIGINT)
      case .kill: sending.signal(SIGKILL)
      }
      let sent = try await sending.finish()
      #expect(sent.status == [.timeout: 5, .interrupt: 130, .kill: -SIGKILL][end], "\(sent)")
      // The kernel gives up what its program gave up. By itself it would go on for a quarter of an hour (tcp(7)).
      try await kernel.line { $0 == "gone" }

      let wire = try await right.watch("any", for: "tcp src port \(port) and greater 200")
      try await link.plug(right)
      // Nobody listens there, which only who is there can say; the kernel takes a moment to see the cable.
      let knock = "(echo >/dev/tcp/\(Link.ipv4(host: 2))/9) 2>&1 | grep --quiet refused"
      try await left.shell("until bash -c '\(knock)'; do sleep 0.1; done")
      receiving.signal(SIGINT)
      #expect(try await receiving.finish().status == 130)
      #expect(try await bob.history().isEmpty)
      wire.signal(SIGINT)
      let captured = try await wire.finish().standardOutput
      #expect(!captured.contains("length"), "the claim came: \(captured)")
    }
  }

  /// Says when CLAIM lies unsent, or not acknowledged, on a connection of this port, and when there is none any more.
  private static let kernel = """
    connections() { ss --no-header --tcp --numeric state connected "sport = :$port"; }
    port=$1
    until connections | awk '$3 > 150 { found = 1 } END { exit !found }'; do sleep 0.02; done
    echo unsent
    while { connections; ip neigh show nud incomplete; } | grep -q .; do sleep 0.1; done
    echo gone
    """
}
