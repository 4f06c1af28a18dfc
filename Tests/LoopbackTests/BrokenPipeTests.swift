import Lab
import Testing

/// Output that nobody reads any more: it must not end a bump in its middle (SIGPIPE), nor go unsaid.
@Suite(.live) struct BrokenPipeTests {
  /// Its arguments as a command whose output is a pipe without a reader, and with the signal as shells leave it.
  private static let script = """
    import os, signal, sys
    reader, writer = os.pipe()
    os.close(reader)
    os.dup2(writer, 1)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    os.execv(sys.argv[1], sys.argv[1:])
    """

  private func start(_ person: BumpCommand, _ arguments: String...) async throws -> RunningProcess {
    try await start(person, arguments)
  }

  private func start(_ person: BumpCommand, _ arguments: [String]) async throws -> RunningProcess {
    try await person.host.spawn(
      ["python3", "-c", Self.script, BumpCommand.binary] + BumpCommand.patient(arguments),
      environment: person.environment)
  }

  @Test func `a link without a reader was not shown, and is shown by the command that is named`() async throws {
    try await withHost(daemons: .none) { host in
      let alice = try BumpCommand("alice", on: host)
      let sent = try await start(alice, "send", "--amount", "1.00", "--link-only").finish()
      #expect(sent.status == 1 && sent.standardError.contains("bump link"), "\(sent)")
      let claimID = try #require(try await alice.history().first?.string("claimId"))
      #expect(try await alice.run("link", claimID).standardOutput.contains("https://"))
    }
  }

  @Test(arguments: [["history"], ["history", "--json"], ["--help"]])
  func `a list whose reader has gone away, as head does, ends in silence`(arguments: [String]) async throws {
    try await withHost(daemons: .none) { host in
      let alice = try BumpCommand("alice", on: host)
      _ = try await alice.run("send", "--amount", "1.00", "--link-only")
      let listed = try await start(alice, arguments).finish()
      #expect(listed.status == 1 && listed.standardError.isEmpty, "\(listed)")
    }
  }

  @Test func `a doctor whose reader has gone away counts the problems, and says nothing else`() async throws {
    try await withHost(daemons: .none) { host in
      let listed = try await start(BumpCommand("alice", on: host), ["doctor"]).finish()
      #expect(listed.status == 1 && listed.standardError.wholeMatch(of: #/\s*\d+ problems?\.\s*/#) != nil, "\(listed)")
    }
  }

  @Test func `a sender without a reader hands over its claim`() async throws {
    try await withHost(daemons: .none) { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await start(
        alice, "send", "--amount", "1.00", "--discovery", "none", "--port", "4000", "--json")
      try await sending.line(on: .error) { $0.contains("Listening on port 4000") }
      let received = try await bob.run("receive", "--peer", "127.0.0.1:4000")
      #expect(received.status == 0, "\(received)")
      let sent = try await sending.finish()
      #expect(sent.status == 0, "\(sent)")
      #expect(try await alice.states() == ["delivered"])
    }
  }

  @Test func `a receiver without a reader keeps the claim, and says where it is`() async throws {
    try await withHost(daemons: .none) { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start("send", "--amount", "1.00", "--discovery", "none", "--json")
      let port = Int(try #require(try await sending.event("advertising").number("port")))
      let received = try await start(bob, "receive", "--peer", "127.0.0.1:\(port)", "--json").finish()
      #expect(received.status == 1, "\(received)")
      #expect(received.standardError.contains("stdout cannot be written, but the claim is here"), "\(received)")
      #expect(try await sending.finish().status == 0)
      #expect(try await bob.history().count == 1)
    }
  }
}
