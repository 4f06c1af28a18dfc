import Glibc
import Lab
import Testing

/// Several senders, and a receiver on another host that chooses among those of the first 300 ms.
@Suite(.live) struct ChoiceTests {
  /// Senders that approve whoever comes.
  private func senders(_ names: [String], on host: Host) async throws -> [RunningProcess] {
    var running: [RunningProcess] = []
    for name in names {
      let sending = try await BumpCommand(name, on: host).start(
        "send", "--amount", "1.00", "--json")
      try await sending.event("advertising")
      running.append(sending)
    }
    return running
  }

  /// Starts a receive whose person is asked to choose among so many. One that a busy machine keeps from the list, since it was
  /// not there within 300 ms of the first, has it begin anew.
  private func choosing(
    among count: Int, _ person: BumpCommand, _ arguments: [String] = []
  ) async throws -> RunningProcess {
    for _ in 1...10 {
      let receiving = try await person.start(["receive"] + arguments, streams: .terminalButOutput)
      // So the list ends, and so does the question of a sender that is alone.
      try await receiving.text("? [", on: .error)
      if receiving.standardError.text.contains("Which? [1-\(count)]") { return receiving }
      receiving.signal(SIGINT)
      _ = try await receiving.finish()
    }
    return try #require(nil as RunningProcess?, "the list never had \(count) senders")
  }

  @Test func `a person on a terminal chooses among several, and the others hear nothing`() async throws {
    try await withTwoHosts { left, right, _ in
      let sending = try await senders(["carol", "alice", "bert"], on: left)
      let begun = ContinuousClock.now
      let receiving = try await choosing(among: 3, BumpCommand("bob", on: right))
      // A number takes effect a second after the list came: one that was meant for a list before is discarded.
      #expect(begun.duration(to: .now) >= .milliseconds(1300))
      let list = receiving.standardError.text
      let lines = [#"1  "alice"  open"#, #"2  "bert"   open"#, #"3  "carol"  open"#]
      #expect(lines.allSatisfy(list.contains), "\(list)")
      receiving.type("4\n")
      try await receiving.text("Type 1 to 3", on: .error)
      receiving.type("2\n")
      // What is typed before the question is no answer to it.
      try await receiving.text("? [y/n]", on: .error)
      #expect(receiving.standardError.text.contains(#""bert" offers 1.00 USDC"#))
      receiving.type("y\n")
      let received = try await receiving.finish()
      #expect(received.status == 0, "\(received)")
      #expect(try await sending[2].finish().status == 0)
      for other in sending.dropLast() {
        #expect(!other.standardOutput.text.contains("connected"))
        other.signal(SIGINT)
        #expect(try await other.finish().status == 130)
      }
    }
  }

  @Test func `one sender alone is not asked about, and others have 300 ms to come`() async throws {
    try await withTwoHosts { left, right, _ in
      let sending = try await senders(["alice"], on: left)
      let receiving = try await BumpCommand("bob", on: right).start("receive", "--json", streams: .terminalButOutput)
      let found = try #require(try await receiving.event("found").number("ms"))
      let connected = try #require(try await receiving.event("connected").number("ms"))
      #expect(connected - found >= 300)
      try await receiving.text("[y/n]", on: .error)
      #expect(!receiving.standardError.text.contains("Which?"))
      receiving.type("y\n")
      #expect(try await receiving.finish().status == 0)
      #expect(try await sending[0].finish().status == 0)
    }
  }

  @Test func `a sender of the list that goes away makes it a new question`() async throws {
    try await withTwoHosts { left, right, _ in
      let sending = try await senders(["alice", "bert", "carol"], on: left)
      let receiving = try await choosing(among: 3, BumpCommand("bob", on: right))
      sending[0].signal(SIGINT)
      try await receiving.text("Which? [1-2]", on: .error)
      receiving.type("2\n")
      try await receiving.text("? [y/n]", on: .error)
      #expect(receiving.standardError.text.contains(#""carol" offers"#))
      receiving.type("y\n")
      #expect(try await receiving.finish().status == 0)
      #expect(try await sending[2].finish().status == 0)
      sending[1].signal(SIGINT)
      for other in sending.dropLast() { _ = try await other.finish() }
    }
  }

  @Test func `Ctrl-C in the choice ends it`() async throws {
    try await withTwoHosts { left, right, _ in
      let sending = try await senders(["alice", "bert"], on: left)
      let bob = try BumpCommand("bob", on: right)
      let receiving = try await choosing(among: 2, bob)
      receiving.type(InterruptTests.controlC)
      #expect(try await receiving.finish().status == 130)
      #expect(try await bob.history().isEmpty)
      for other in sending { other.signal(SIGINT) }
      for other in sending { #expect(try await other.finish().status == 130) }
    }
  }

  /// Anybody can announce a sender of that name, which asks for a code that nobody has.
  @Test func `whoever copies the name of a sender does not keep a person from it`() async throws {
    try await withTwoHosts { left, right, _ in
      let alice = try BumpCommand("alice", on: left)
      let sending = try await alice.start("send", "--amount", "1.00", "--json")
      try await sending.event("advertising")
      let impostor = try await BumpCommand("mallory", on: left).start(
        "send", "--amount", "1.00", "--name", "alice", "--code", "--json")
      try await impostor.event("advertising")
      let receiving = try await choosing(among: 2, BumpCommand("bob", on: right), ["--from", "alice"])
      let list = receiving.standardError.text
      #expect(list.contains(#"2 senders look like "alice", and a name proves nothing."#), "\(list)")
      let line = try #require(list.firstMatch(of: /(\d)  "alice-[0-9a-f]{4}"  open: compare the digits/))
      #expect(list.contains(#/"alice-[0-9a-f]{4}"  code: ask for the code/#), "\(list)")
      receiving.type("\(line.1)\n")
      try await receiving.text("? [y/n]", on: .error)
      receiving.type("y\n")
      #expect(try await receiving.finish().status == 0)
      #expect(try await sending.finish().status == 0)
      impostor.signal(SIGINT)
      _ = try await impostor.finish()
    }
  }

  @Test func `without a terminal the senders of one name are listed, and none is tried`() async throws {
    try await withTwoHosts { left, right, _ in
      // Neither will do without a code, so three seconds are given to others: both are found in them on any machine.
      var sending: [RunningProcess] = []
      for name in ["alice", "mallory"] {
        let sender = try await BumpCommand(name, on: left).start(
          "send", "--amount", "1.00", "--name", "alice", "--code", "--json")
        try await sender.event("advertising")
        sending.append(sender)
      }
      let received = try await BumpCommand("bob", on: right).run("receive", "--from", "alice", "--json")
      #expect(received.status == 3 && received.standardError.contains("2 senders look like"), "\(received)")
      #expect(try received.result.list("found")?.map { $0["reason"] } == [.string("notTried"), .string("notTried")])
      for sender in sending {
        #expect(!sender.standardOutput.text.contains("connected"))
        sender.signal(SIGINT)
        _ = try await sender.finish()
      }
    }
  }

  @Test func `a name chooses beforehand`() async throws {
    try await withTwoHosts { left, right, _ in
      let sending = try await senders(["carol", "bert", "alice"], on: left)
      let received = try await BumpCommand("bob", on: right).run("receive", "--from", "bert")
      #expect(received.status == 0 && received.standardOutput.contains(#"from "bert""#), "\(received)")
      for other in sending { other.signal(SIGINT) }
      for other in sending { _ = try await other.finish() }
    }
  }
}
