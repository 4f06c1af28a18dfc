import Glibc
import Lab
import Testing

/// Ctrl-C, on a terminal as the key, elsewhere as the signal.
@Suite(.live) struct InterruptTests {
  static let controlC = "\u{03}"

  @Test func `a sender interrupted while it waits withdraws its advertisement, and the claim stays new`() async throws {
    try await withHost(daemons: .avahi) { host in
      let alice = try BumpCommand("alice", on: host)
      let browser = try await host.spawn(["avahi-browse", "--parsable", "_irl-bump._tcp"])
      let sending = try await alice.start("send", "--amount", "1.00", "--json")
      try await browser.line { $0.hasPrefix("+") && $0.contains("alice") }
      sending.signal(SIGINT)
      let sent = try await sending.finish()
      #expect(sent.status == 130, "\(sent)")
      #expect(try sent.result.string("outcome") == "interrupted")
      #expect(sent.standardError.contains("claim"), "\(sent)")
      try await browser.line { $0.hasPrefix("-") && $0.contains("alice") }
      #expect(try await alice.states() == ["new"])
    }
  }

  /// A signal must not be lost in the moment in which its handler is made: several try that moment.
  @Test func `senders interrupted as soon as they say anything end`() async throws {
    try await withHost { host in
      let alice = try BumpCommand("alice", on: host)
      for _ in 1...8 {
        let sending = try await alice.start("send", "1.00", "--code", "--json")
        try await sending.event("code")
        sending.signal(SIGINT)
        let sent = try await sending.finish()
        #expect(sent.status == 130, "\(sent)")
      }
    }
  }

  @Test func `a sender interrupted while its person is asked has given nothing away`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start("send", "--amount", "1.00", "--verify", streams: .terminalButOutput)
      let receiving = try await bob.start("receive")
      try await sending.text("[y/n]", on: .error)
      sending.type(Self.controlC)
      let sent = try await sending.finish()
      #expect(sent.status == 130, "\(sent)")
      #expect(try await alice.states() == ["new"])
      receiving.signal(SIGINT)
      #expect(try await receiving.finish().status == 130)
      #expect(try await bob.history().isEmpty)
    }
  }

  @Test func `a sender interrupted after the claim is out says that it may have arrived`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start(
        "send", "--amount", "1.00", "--verify", "--send-timeout", "60", streams: .terminalButOutput)
      let receiving = try await bob.start("receive")
      try await sending.text("[y/n]", on: .error)
      // The receiver has accepted; now it stands still, and the next that is as long as this is the claim.
      await receiving.freeze()
      let wire = try await host.watch("lo", for: "tcp and greater 200")
      sending.type("y\n")
      try await wire.line { $0.contains("length") }
      sending.type(Self.controlC)
      let sent = try await sending.finish()
      #expect(sent.status == 130, "\(sent)")
      #expect(sent.standardError.contains("unknown") || sent.standardError.contains("may have"), "\(sent)")
      #expect(try await alice.states() == ["unknown"])

      receiving.signal(SIGCONT)
      let received = try await receiving.finish()
      #expect(try await bob.history().count == (received.status == 0 ? 1 : 0), "\(received)")

      let next = try await alice.run("receive", "--discovery-timeout", "1")
      let claimID = try #require(try await alice.history().first?.string("claimId"))
      #expect(next.standardError.contains("No answer came to 1.00 USDC for "), "\(next)")
      #expect(next.standardError.contains(" s: bump settle \(claimID.prefix(8))\n"), "\(next)")
    }
  }

  @Test func `a receiver interrupted while it looks ends at once`() async throws {
    try await withHost { host in
      let bob = try BumpCommand("bob", on: host)
      let receiving = try await bob.start("receive", "--json")
      try await receiving.event("browsing")
      receiving.signal(SIGINT)
      let received = try await receiving.finish()
      #expect(received.status == 130, "\(received)")
      #expect(try received.result.string("outcome") == "interrupted")
      #expect(try await bob.history().isEmpty)
    }
  }

  @Test func `a receiver interrupted while its person is asked has taken nothing`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let receiving = try await bob.start("receive", streams: .terminalButOutput)
      let sending = try await alice.start("send", "--amount", "1.00")
      try await receiving.text("[y/n]", on: .error)
      receiving.type(Self.controlC)
      let received = try await receiving.finish()
      #expect(received.status == 130, "\(received)")
      sending.signal(SIGINT)
      #expect(try await sending.finish().status == 130)
      #expect(try await alice.states() == ["new"])
      #expect(try await bob.history().isEmpty)
    }
  }

  @Test func `a receiver interrupted after it accepted is not sent the claim`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start(
        "send", "--amount", "1.00", "--verify", streams: .terminalButOutput)
      let receiving = try await bob.start("receive", "--json")
      try await sending.text("[y/n]", on: .error)
      receiving.signal(SIGINT)
      let received = try await receiving.finish()
      #expect(received.status == 130, "\(received)")
      // Nobody answers the question, which is about nobody any more.
      sending.type(Self.controlC)
      #expect(try await sending.finish().status == 130)
      #expect(try await alice.states() == ["new"])
      #expect(try await bob.history().isEmpty)
    }
  }
}
