import Lab
import Testing

extension BumpCommand {
  /// Starts a program's bump, whose stdin stays open.
  func startDeciding(_ arguments: [String]) async throws -> RunningProcess {
    let backend = ["--discovery", Backend.current.rawValue, "--discovery-timeout", "60", "--json", "--decide"]
    return try await host.spawn([BumpCommand.binary] + arguments + backend, environment: environment)
  }
}

/// Programs that decide: `--json --decide`.
@Suite(.live) struct DecideTests {
  private func start(_ arguments: String..., as person: BumpCommand) async throws -> RunningProcess {
    try await person.startDeciding(arguments)
  }

  @Test func `a program at each end decides, and its yes delivers`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await start("send", "--amount", "1.00", "--code", as: alice)
      let code = try #require(try await sending.event("code").string("code"))
      let receiving = try await start("receive", code, as: bob)
      let offer = try await receiving.event("question")
      #expect(offer.string("from") == "alice" && offer.string("amount") == "1.00" && offer.number("question") == 1)
      receiving.type("y 1\n")
      let accepted = try await sending.event("question")
      #expect(accepted.string("peerName") == "bob" && accepted.string("digits") == offer.string("digits"))
      sending.type("y 1\n")
      let (sent, received) = (try await sending.finish(), try await receiving.finish())
      #expect(try sent.result.string("outcome") == "delivered" && received.result.string("outcome") == "received")
    }
  }

  @Test func `a program decides about a link as it does about a claim`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      #expect(try await host.run(["mkdir", "/run/links"]).status == 0)
      let sending = try await start("send", "--url", "https://example.org/", as: alice)
      let receiving = try await start("receive", "--save", "/run/links", as: bob)
      let offer = try await receiving.event("question")
      #expect(offer.string("from") == "alice" && offer.string("kind") == "link" && offer.number("length") == 20)
      receiving.type("y 1\n")
      let accepted = try await sending.event("question")
      #expect(accepted.string("kind") == "link" && accepted.string("digits") == offer.string("digits"))
      sending.type("y 1\n")
      let (sent, received) = (try await sending.finish(), try await receiving.finish())
      #expect(try sent.result.string("outcome") == "delivered" && received.result.string("outcome") == "saved")
    }
  }

  /// What a receiver's program writes that is a no, or no answer and then the end of its input.
  @Test(arguments: ["n 1\n", "y 2\n", "y\n", "yes 1\n", "{}\n", "y 1\r\n", "y 1", ""])
  func `nothing but a yes to this question accepts`(written: String) async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start("send", "--amount", "1.00")
      let receiving = try await start("receive", as: bob)
      try await receiving.event("question")
      receiving.type(written)
      receiving.closeInput()
      let received = try await receiving.finish()
      #expect(try received.status == 4 && received.result.string("outcome") == "declined", "\(received)")
      #expect(try await bob.history().isEmpty)
      sending.signal(2)
      _ = try await sending.finish()
    }
  }

  @Test func `an answer that comes after its question was cancelled does not answer the next`() async throws {
    try await withHost { host in
      let (alice, bob, carol) = (
        try BumpCommand("alice", on: host), try BumpCommand("bob", on: host), try BumpCommand("carol", on: host)
      )
      let sending = try await start("send", "--amount", "1.00", as: alice)
      let first = try await carol.start("receive")
      #expect(try await sending.event("question").string("peerName") == "carol")
      first.signal(2)
      _ = try await first.finish()
      try await sending.event("cancelled")
      let second = try await bob.start("receive")
      try await sending.line { $0.contains("\"question\":2") && $0.contains("\"bob\"") }
      sending.type("y 1\n")
      try await sending.line(on: .error) { $0.contains("question 1 is not being asked") }
      sending.type("n 2\n")
      #expect(try await sending.finish().status == 4)
      second.signal(2)
      _ = try await second.finish()
      #expect(try await bob.history().isEmpty)
    }
  }

  @Test func `what is written before a question does not answer it`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let receiving = try await start("receive", as: bob)
      receiving.type("y 1\n")
      try await receiving.line(on: .error) { $0.contains("question 1 is not being asked") }
      let sending = try await alice.start("send", "--amount", "1.00")
      try await receiving.event("question")
      receiving.type("n 1\n")
      #expect(try await receiving.finish().status == 4)
      sending.signal(2)
      _ = try await sending.finish()
    }
  }
}
