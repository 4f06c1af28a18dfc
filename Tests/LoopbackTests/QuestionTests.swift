import Glibc
import Lab
import Testing

/// People on terminals.
@Suite(.live) struct QuestionTests {
  @Test func `both people see the same digits and each other's name, and a yes of both delivers`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start("send", "--amount", "1.00", streams: .terminalButOutput)
      let receiving = try await bob.start("receive", streams: .terminalButOutput)
      try await receiving.text("Accept? [Y/n]", on: .error)
      let offer = receiving.standardError.text
      receiving.type("y\n")
      try await sending.text("Send? [Y/n]", on: .error)
      let question = sending.standardError.text
      sending.type("\n")

      let digits = try #require(offer.firstMatch(of: /\d{3} \d{3}/)?.output)
      #expect(question.contains(digits), "\(offer)\n\(question)")
      #expect(offer.contains("1.00 USDC") && offer.contains("alice"), "\(offer)")
      #expect(question.contains("bob"), "\(question)")
      let (sent, received) = (try await sending.finish(), try await receiving.finish())
      #expect(sent.status == 0, "\(sent)")
      #expect(received.status == 0, "\(received)")
      #expect(received.lines.count == 1, "\(received)")
    }
  }

  @Test func `an Enter that was meant for one receiver does not send the claim to another`() async throws {
    try await withHost { host in
      let (alice, bob, carol) = (
        try BumpCommand("alice", on: host), try BumpCommand("bob", on: host), try BumpCommand("carol", on: host)
      )
      let sending = try await alice.start("send", "--amount", "1.00", streams: .terminalButOutput)
      let first = try await carol.start("receive")
      try await sending.text("carol accepts", on: .error)
      let second = try await bob.start("receive")
      first.signal(SIGINT)
      _ = try await first.finish()
      try await sending.text("bob accepts", on: .error)
      try await sending.text("Send? [y/n]", on: .error)
      #expect(sending.standardError.text.contains("That question is void"))
      sending.type("\n")
      try await sending.text("Please answer y or n", on: .error)
      sending.type("y\n")
      #expect(try await sending.finish().status == 0)
      #expect(try await second.finish().status == 0)
    }
  }

  @Test func `a receiver's no ends its side, and no claim is sent`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start("send", "--amount", "1.00", "--discovery-timeout", "6")
      let receiving = try await bob.start("receive", streams: .terminalButOutput)
      try await receiving.text("[Y/n]", on: .error)
      receiving.type("n\n")
      let received = try await receiving.finish()
      #expect(received.status == 4, "\(received)")
      #expect(try await bob.history().isEmpty)
      let sent = try await sending.finish()
      #expect([3, 4].contains(sent.status), "\(sent)")
      #expect(try await alice.states() != ["delivered"])
    }
  }

  @Test func `a sender's no ends the bump, and the claim stays new`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start("send", "--amount", "1.00", streams: .terminalButOutput)
      let receiving = try await bob.start("receive", "--discovery-timeout", "6")
      try await sending.text("[Y/n]", on: .error)
      sending.type("n\n")
      let sent = try await sending.finish()
      #expect(sent.status == 4, "\(sent)")
      #expect(try await alice.states() == ["new"])
      let received = try await receiving.finish()
      #expect(received.status == 4 || received.status == 3, "\(received)")
      #expect(try await bob.history().isEmpty)
    }
  }

  @Test(arguments: [["send", "--amount", "1.00", "--verify"], ["receive", "--verify"]])
  func `who insists on being asked fails where nobody can be`(arguments: [String]) async throws {
    try await withHost { host in
      let finished = try await BumpCommand("alice", on: host).start(arguments).finish(within: .atOnce)
      #expect(finished.status != 0, "\(finished)")
      #expect(finished.standardOutput.isEmpty, "\(finished)")
      #expect(finished.standardError.hasPrefix("bump: "), "\(finished)")
    }
  }
}
