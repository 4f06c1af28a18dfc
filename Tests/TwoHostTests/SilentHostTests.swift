import Glibc
import Lab
import Measures
import Testing

/// One machine on which ever new senders offer, hold and fall silent.
@Suite(.live) struct SilentHostTests {
  /// As many as a receiver is connected to at once, but for one place.
  private static let mallories = 7

  @Test(.thorough)
  func `a machine whose senders hold and fall silent costs another's claim one wait of two seconds`() async throws {
    try await withHosts(["mallory", "bob", "alice", "switch"]) { hosts in
      let hub = try await Switch(at: hosts[3])
      for (index, host) in hosts.dropLast().enumerated() {
        try await hub.join(host, number: index + 1)
        try await host.start(.needed)
      }
      let bob = try BumpCommand("bob", on: hosts[1])
      let receiving = try await bob.start("receive", "--keep", "--json")
      try await receiving.event("browsing")
      // Each holds for the minute that its person has, who says nothing.
      for number in 1...Self.mallories {
        let mallory = try BumpCommand("mallory\(number)", on: hosts[0])
        _ = try await mallory.start(
          "send", "1.00", "--verify", "--discovery-timeout", "60", streams: .terminalButOutput)
        try await receiving.line { $0.contains("\"found\"") && $0.contains("mallory\(number)-") }
      }
      try await receiving.event("deciding")
      // Two seconds for each of mallory's are longer than the ten that alice waits.
      var alice = try BumpCommand("alice", on: hosts[2])
      alice.isPatient = false
      let sending = try await alice.start("send", "2.00", "--json")
      let sent = try await sending.finish()
      #expect(sent.status == 0, "\(sent)\n\(receiving)")
      #expect(try await bob.history().map { $0.string("amount") } == ["2.00"])
      receiving.signal(SIGINT)
      _ = try await receiving.finish()
    }
  }
}
