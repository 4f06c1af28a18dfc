import Glibc
import Lab
import Measures
import Testing

/// People on terminals.
@Suite(.live) struct QuestionTests {
  @Test func `both people see the same digits in the question, Enter asks again, and a yes of both delivers`()
    async throws
  {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start("send", "--amount", "1.00", streams: .terminalButOutput)
      let receiving = try await bob.start("receive", streams: .terminalButOutput)
      try await receiving.text("? [y/n]", on: .error)
      let offer = receiving.standardError.text
      let question = try #require(
        offer.firstMatch(of: /Does the sender's screen show (\d{3} \d{3})\? Accept 1\.00 USDC\? \[y\/n\] $/))
      #expect(offer.contains(#""alice" offers 1.00 USDC."#), "\(offer)")
      // The sender can compare before the receiver's yes.
      try await sending.text("\(question.1): ", on: .error)
      #expect(!sending.standardError.text.contains("bob"))

      receiving.type("\n")
      try await receiving.text("Type y or n. \(question.0)", on: .error, after: offer.utf8.count)
      receiving.type("y\n")
      try await sending.text("? [y/n] ", on: .error)
      let asked = sending.standardError.text
      #expect(asked.contains(#""bob" accepts 1.00 USDC."#), "\(asked)")
      #expect(asked.hasSuffix("Does the receiver's screen show \(question.1)? Send 1.00 USDC? [y/n] "), "\(asked)")
      for typed in ["\n", "maybe\n"] {
        let count = sending.standardError.bytes.count
        sending.type(typed)
        try await sending.text("Type y or n. Does the receiver's screen show \(question.1)?", on: .error, after: count)
      }
      sending.type("y\n")
      let (sent, received) = (try await sending.finish(), try await receiving.finish())
      #expect(sent.status == 0, "\(sent)")
      #expect(received.status == 0, "\(received)")
      #expect(received.lines.count == 1, "\(received)")
    }
  }

  /// Starts a sender that one receiver is told of alone, so that a no ends it: a sender that others may find goes on until
  /// its time is over.
  ///
  /// - Returns: the sender, and its address.
  private func listen(as alice: BumpCommand) async throws -> (RunningProcess, address: String) {
    let sending = try await alice.start(
      "send", "--amount", "1.00", "--discovery", "none", streams: .terminalButOutput)
    let line = try await sending.line(on: .error) { $0.contains("Listening on port ") }
    return (sending, "127.0.0.1:\(try #require(line.firstMatch(of: /Listening on port (\d+)/)).1)")
  }

  @Test(arguments: Measure.isThorough ? ["y\n", "y\ny\ny\n", "y"] : ["y\ny\ny\n", "y"])
  func `what was typed before a question does not answer it`(typed: String) async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let (sending, address) = try await listen(as: alice)
      sending.type(typed)
      let receiving = try await bob.start("receive", "--peer", address)
      try await sending.text("? [y/n] ", on: .error)
      // Had it been taken for an answer, this one would come too late.
      sending.type("n\n")
      let sent = try await sending.finish()
      #expect(sent.status == 4, "\(sent)")
      #expect(try await alice.states() == ["new"])
      receiving.signal(SIGINT)
      _ = try await receiving.finish()
      #expect(try await bob.history().isEmpty)
    }
  }

  @Test func `the end of the input is a no`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let (sending, address) = try await listen(as: alice)
      let receiving = try await bob.start("receive", "--peer", address)
      try await sending.text("? [y/n] ", on: .error)
      sending.type("\u{4}")
      #expect(try await sending.finish().status == 4)
      receiving.signal(SIGINT)
      #expect([4, 130].contains(try await receiving.finish().status))
      #expect(try await alice.states() == ["new"])
    }
  }

  /// A claim, and a link, which goes as a card does.
  @Test(
    arguments: [(["--amount", "1.00"], []), (["--url", "https://example.org/"], ["--save", "/run/cards"])]
      as [([String], [String])])
  func `the digits of a session leave the screen with it, and those of the next are typed`(
    what: [String], saving: [String]
  ) async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      try await host.shell("mkdir /run/cards")
      let sending = try await alice.start(["send"] + what, streams: .terminalButOutput)
      let receiving = try await bob.start(["receive"] + saving, streams: .terminalButOutput)
      try await receiving.text("? [y/n]", on: .error)
      let digits = try #require(receiving.standardError.text.firstMatch(of: /\d{3} \d{3}/)).output
      try await sending.text("\(digits): ", on: .error)
      let shown = sending.standardError.bytes.count
      receiving.signal(SIGINT)
      _ = try await receiving.finish()
      try await sending.text("Waiting for a receiver", on: .error, after: shown)
      #expect(!screen(of: sending).contains(digits), "\(sending)")
      // A question that was asked goes with its receiver too.
      let second = try await bob.start(["receive"] + saving)
      try await sending.text("? If so, type ", on: .error)
      let asked = sending.standardError.bytes.count
      second.signal(SIGINT)
      _ = try await second.finish()
      try await sending.text(
        "Question cancelled: the receiver has gone, or the time for an answer is up.", on: .error, after: asked)
      #expect(screen(of: sending).firstMatch(of: /\d{3} \d{3}/) == nil, "\(sending)")
      sending.signal(SIGINT)
      _ = try await sending.finish()
    }
  }

  /// What a terminal still shows: what was written on each line since it was erased last.
  private func screen(of process: RunningProcess) -> String {
    process.standardError.text.split(separator: "\n").compactMap { line in
      line.ranges(of: "\r\u{1B}[K").last.map { String(line[$0.upperBound...]) } ?? String(line)
    }.joined(separator: "\n")
  }

  @Test func `with yes nobody is asked, on terminals too`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start("send", "--amount", "1.00", "--yes", streams: .terminalButOutput)
      let receiving = try await bob.start("receive", "--yes", streams: .terminalButOutput)
      let (sent, received) = (try await sending.finish(), try await receiving.finish())
      #expect(sent.status == 0 && received.status == 0, "\(sent)\n\(received)")
      #expect(!(sent.standardError + received.standardError).contains("[y/n]"), "\(sent)\n\(received)")
    }
  }

  @Test(arguments: [true, false])
  func `that the sender wants a key is said alike where somebody could choose and where nobody could`(
    onTerminal: Bool
  ) async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      #expect(try await alice.run("key", "new", "/run/home/alice/key").status == 0)
      let sending = try await alice.start("send", "1.00", "--key", "/run/home/alice/key", "--wait", "--json")
      try await sending.event("advertising")
      let received = try await bob.runOut(
        ["receive"], seconds: 10, streams: onTerminal ? .terminalButOutput : .pipes
      ) { $0.standardError.contains("but requires a key") }
      #expect(received.status == 3, "\(received)")
      let said = try #require(received.standardError.split(whereSeparator: \.isNewline).last, "\(received)")
      let sentence = /bump: "alice" is here, .*, but requires a key: name the same key with --key or --with/
      #expect(said.firstMatch(of: sentence) != nil, "\(received)")
      #expect(said.contains(#""alice" is here, "#) && !said.contains("no time"), "\(received)")
      sending.signal(SIGINT)
      _ = try await sending.finish()
    }
  }

  @Test func `with verify those who remember each other are asked too`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let first = try await alice.start("send", "--amount", "1.00", "--code", "--remember", "bobby")
      let line = try await first.line(on: .error) { $0.contains("The code is ") }
      let code = String(try #require(line.firstMatch(of: /\d{1,2}-\d{6}/)?.output))
      #expect(try await bob.run("receive", code, "--remember", "ally").status == 0)
      #expect(try await first.finish().status == 0)

      let sending = try await alice.start(
        "send", "--amount", "2.00", "--to", "bobby", "--verify", streams: .terminalButOutput)
      let receiving = try await bob.start("receive", "--with", "ally", "--verify", streams: .terminalButOutput)
      try await receiving.text("? [y/n] ", on: .error)
      receiving.type("y\n")
      try await sending.text("? [y/n] ", on: .error)
      sending.type("y\n")
      let (sent, received) = (try await sending.finish(), try await receiving.finish())
      #expect(sent.status == 0 && received.status == 0, "\(sent)\n\(received)")
    }
  }

  /// Whoever relays one receiver untouched may cut that session while the sender reads its digits, and have another one ready.
  @Test func `a question that replaces another says so, takes no answer for two seconds, and then its digits alone`()
    async throws
  {
    try await withHost { host in
      let (alice, bob, carol) = (
        try BumpCommand("alice", on: host), try BumpCommand("bob", on: host), try BumpCommand("carol", on: host)
      )
      let sending = try await alice.start("send", "--amount", "1.00", streams: .terminalButOutput)
      let first = try await carol.start("receive")
      try await sending.text("? [y/n]", on: .error)
      let second = try await bob.start("receive")
      try await sending.text(#""bob" accepts too"#, on: .error)
      let asked = sending.standardError.bytes.count
      let cut = ContinuousClock.now
      first.signal(SIGINT)
      try await sending.text("replaces the one before it: compare the new digits.\r\n", on: .error, after: asked)
      #expect(
        sending.standardError.text.contains(
          "Question cancelled: the receiver has gone, or the time for an answer is up."))
      try await sending.text("Does the receiver's screen show ", on: .error, after: asked)
      sending.typeDigits()
      // On a machine so busy that two seconds have passed already, they are an answer.
      guard cut.duration(to: .now) < .seconds(2) else { return _ = try await sending.finish() }
      try await sending.text(" If not, n: ", on: .error, after: asked)
      #expect(cut.duration(to: .now) >= .seconds(2))
      for meantForTheFirst in ["y\n", "\n"] {
        let asked = sending.standardError.bytes.count
        sending.type(meantForTheFirst)
        try await sending.text(" or n. Does the ", on: .error, after: asked)
        try await sending.text(" If not, n: ", on: .error, after: asked)
      }
      sending.typeDigits()
      #expect(try await sending.finish().status == 0)
      #expect(try await second.finish().status == 0)
      _ = try await first.finish()
      #expect(try await carol.history().isEmpty)
    }
  }

  @Test(arguments: [[], ["--keep"]])
  func `a receiver's question that replaces another says so, and takes its digits alone`(options: [String]) async throws
  {
    try await withHost { host in
      let (alice, bob, carol) = (
        try BumpCommand("alice", on: host), try BumpCommand("bob", on: host), try BumpCommand("carol", on: host)
      )
      let receiving = try await bob.start(["receive"] + options, streams: .terminalButOutput)
      let first = try await alice.start("send", "--amount", "1.00")
      try await receiving.text("? [y/n]", on: .error)
      let second = try await carol.start("send", "--amount", "2.00")
      _ = try await second.line(on: .error) { $0.contains("Sending 2.00 USDC as carol") }
      let asked = receiving.standardError.bytes.count
      first.signal(SIGINT)
      try await receiving.text("replaces the one before it: compare the new digits.\r\n", on: .error, after: asked)
      try await receiving.text(" If not, n: ", on: .error, after: asked)
      let again = receiving.standardError.bytes.count
      receiving.type("y\n")
      try await receiving.text(" or n. Does the ", on: .error, after: again)
      try await receiving.confirmDigits(after: again, whole: options.isEmpty)
      let sent = try await second.finish()
      #expect(sent.status == 0, "\(sent) \(receiving.standardError.text)")
      _ = try await first.finish()
      receiving.signal(SIGINT)
      _ = try await receiving.finish()
      #expect(try await bob.history().map { $0.string("amount") } == ["2.00"])
    }
  }

  @Test func `digits that are compared before the question are not taken for those of another receiver`() async throws {
    try await withHost { host in
      let (alice, bob, carol) = (
        try BumpCommand("alice", on: host), try BumpCommand("bob", on: host), try BumpCommand("carol", on: host)
      )
      let sending = try await alice.start("send", "--amount", "1.00", streams: .terminalButOutput)
      let first = try await carol.start("receive", streams: .terminalButOutput)
      try await first.text("? [y/n]", on: .error)
      let digits = try #require(first.standardError.text.firstMatch(of: /\d{3} \d{3}/)).output
      try await sending.text("\(digits): ", on: .error)
      let second = try await bob.start("receive")
      try await sending.confirmDigits()
      #expect(try await sending.finish().status == 0)
      #expect(try await second.finish().status == 0)
      first.signal(SIGINT)
      _ = try await first.finish()
    }
  }

  /// On a machine so busy that the question may have been on the screen for a second before the yes, it is asked again, nine
  /// times at most.
  @Test(arguments: ["y\n", "\u{4}"])
  func `a question takes no yes in its first second, and no end of the input`(typed: String) async throws {
    try await withHost { host in
      let alice = try BumpCommand("alice", on: host)
      var isQuick = false
      for _ in 1...10 where !isQuick {
        let bob = try BumpCommand("bob", on: host)
        let sending = try await alice.start("send", "--amount", "1.00", streams: .terminalButOutput)
        let receiving = try await bob.start("receive", streams: .terminalButOutput)
        try await receiving.text("? [y/n]", on: .error)
        let accepted = ContinuousClock.now
        receiving.type("y\n")
        try await sending.text("Send 1.00 USDC? ", on: .error)
        sending.type(typed)
        isQuick = accepted.duration(to: .now) < .seconds(1)
        if isQuick {
          try await sending.text("? [y/n] ", on: .error)
          sending.type("n\n")
          try await sending.text("Not sent to", on: .error)
        }
        for process in [sending, receiving] {
          process.signal(SIGINT)
          _ = try await process.finish()
        }
        #expect(try await bob.history().isEmpty || !isQuick)
      }
    }
  }

  @Test func `a receiver's no ends its side, and no claim is sent`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start("send", "--amount", "1.00")
      let receiving = try await bob.start("receive", streams: .terminalButOutput)
      try await receiving.text("[y/n]", on: .error)
      receiving.type("n\n")
      let received = try await receiving.finish()
      #expect(received.status == 4, "\(received)")
      #expect(try await bob.history().isEmpty)
      // Others may come.
      try await sending.line(on: .error) { $0 == "A receiver declined." }
      sending.signal(SIGINT)
      #expect(try await sending.finish().status == 130)
      #expect(try await alice.states() == ["new"])
    }
  }

  @Test func `after a sender's no the next receiver that waits is asked about`() async throws {
    try await withHost { host in
      let (alice, bob, carol) = (
        try BumpCommand("alice", on: host), try BumpCommand("bob", on: host), try BumpCommand("carol", on: host)
      )
      let sending = try await alice.start("send", "--amount", "1.00", streams: .terminalButOutput)
      let first = try await carol.start("receive")
      try await sending.text(#""carol" accepts"#, on: .error)
      let second = try await bob.start("receive", "--json")
      let digits = try #require(try await second.event("digits").string("digits"))
      try await sending.text(#""bob" accepts too: 1 other waits."#, on: .error)
      try await sending.text("? [y/n]", on: .error)
      sending.type("n\n")
      // What is typed before the question does not answer it.
      try await sending.text("Does the receiver's screen show \(digits)? Send 1.00 USDC? If so", on: .error)
      try await sending.confirmDigits()
      #expect(try await sending.finish().status == 0)
      #expect(try await second.finish().status == 0)
      first.signal(SIGINT)
      _ = try await first.finish()
      #expect(try await carol.history().isEmpty)
    }
  }

  @Test func `a sender's no to whoever came leaves the claim new`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let (sending, address) = try await listen(as: alice)
      let receiving = try await bob.start("receive", "--peer", address)
      try await sending.text("[y/n]", on: .error)
      sending.type("n\n")
      let sent = try await sending.finish()
      #expect(sent.status == 4, "\(sent)")
      #expect(try await alice.states() == ["new"])
      let received = try await receiving.finish()
      #expect(received.status == 4, "\(received)")
      #expect(try await bob.history().isEmpty)
    }
  }

  @Test(arguments: [["send", "--amount", "1.00", "--verify"], ["receive", "--verify"]])
  func `who insists on being asked fails where nobody can be`(arguments: [String]) async throws {
    try await withHost { host in
      let finished = try await BumpCommand("alice", on: host).start(arguments).finish()
      // Had it looked for anybody, it would end with 3.
      #expect(finished.status == 64, "\(finished)")
      #expect(finished.standardOutput.isEmpty, "\(finished)")
      #expect(finished.standardError.hasPrefix("bump: "), "\(finished)")
    }
  }
}
