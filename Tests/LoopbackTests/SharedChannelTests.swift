import Glibc
import Lab
import Testing

/// Two senders on one channel. Codes are drawn, so neither announces itself: each is announced on the channel of one.
@Suite(.live) struct SharedChannelTests {
  private struct Sending {
    let run: RunningProcess
    let code: String
    let port: String
  }

  private func send(_ person: BumpCommand) async throws -> Sending {
    let sending = try await person.start("send", "1.00", "--code", "--discovery", "none", "--json")
    let code = try #require(try await sending.event("code").string("code"))
    let port = try #require(try await sending.event("advertising").number("port"))
    return Sending(run: sending, code: code, port: String(Int(port)))
  }

  /// Announces a sender on the channel of a code.
  private func announce(_ person: BumpCommand, _ sending: Sending, on code: String) async throws {
    let channel = code.prefix { $0 != "-" }
    _ = try await person.host.spawn([
      "avahi-publish", "--service", "--subtype=_c\(channel)._sub._irl-bump._tcp", "\(person.name)-0123456789abcdef",
      "_irl-bump._tcp", sending.port, "txtvers=1", "v=1", "mode=code", "ch=\(channel)",
    ])
  }

  @Test func `a sender says that another sends on its channel, and what that means`() async throws {
    try await withHost(daemons: .avahi) { host in
      let (alice, mallory) = (try BumpCommand("alice", on: host), try BumpCommand("mallory", on: host))
      let sending = try await alice.start("send", "1.00", "--code", "--json")
      let code = try #require(try await sending.event("code").string("code"))
      try await announce(mallory, try await send(mallory), on: code)
      let told = try await sending.event("channelShared")
      #expect(told.string("name") == "mallory-0123456789abcdef")
      #expect(told.number("channel").map { String(Int($0)) } == String(code.prefix { $0 != "-" }))
      try await sending.line(on: .error) { $0.hasPrefix(#""mallory" nearby has a code that begins with "#) }
    }
  }

  @Test func `a receiver that meets the wrong one of two senders first waits for the one whose code it has`()
    async throws
  {
    try await withHost(daemons: .avahi) { host in
      let people = try ["alice", "mallory", "bob"].map { try BumpCommand($0, on: host) }
      let (right, wrong) = (try await send(people[0]), try await send(people[1]))
      try await announce(people[1], wrong, on: right.code)
      let receiving = try await people[2].start("receive", right.code, "--json")
      let told = try await receiving.event("wrongCode")
      #expect(told.string("name") == "mallory-0123456789abcdef" && told.number("triesLeft") == 2, "\(told)")
      try await receiving.line(on: .error) {
        $0.hasPrefix(#"That is not the code of "mallory". Waiting for another sender whose code begins with "#)
      }
      try await announce(people[0], right, on: right.code)
      let (sent, received) = (try await right.run.finish(), try await receiving.finish())
      #expect(sent.status == 0 && received.status == 0, "\(sent)\n\(received)")
      #expect(try await people[0].states() == ["delivered"])
      #expect(try await people[1].states() == ["new"])
    }
  }

  @Test func `a person who is asked again by a stranger's fault waits, and the question is cancelled`() async throws {
    try await withHost(daemons: .avahi) { host in
      let people = try ["alice", "mallory", "bob"].map { try BumpCommand($0, on: host) }
      let (right, wrong) = (try await send(people[0]), try await send(people[1]))
      try await announce(people[1], wrong, on: right.code)
      let receiving = try await people[2].start("receive", right.code, "--yes", streams: .terminalButOutput)
      try await receiving.text(#"That is not the code of "mallory"."#, on: .error)
      try await receiving.text("The code: ", on: .error)
      try await announce(people[0], right, on: right.code)
      let (sent, received) = (try await right.run.finish(), try await receiving.finish())
      #expect(sent.status == 0 && received.status == 0, "\(sent)\n\(received)")
      #expect(
        received.standardError.contains("Question cancelled: the sender of the code was found."),
        "\(received)")
    }
  }

  @Test func `after the same wrong code twice the right one is taken, however soon it is typed`() async throws {
    try await withHost(daemons: .avahi) { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start("send", "1.00", "--code", "--yes", "--json")
      let code = try #require(try await sending.event("code").string("code"))
      let wrong = code.dropLast() + (code.hasSuffix("0") ? "1" : "0")
      let receiving = try await bob.start("receive", String(wrong), "--yes", streams: .terminalButOutput)
      try await receiving.text("The code: ", on: .error)
      receiving.type("\(wrong)\n")
      try await receiving.text("Waiting for another sender with that code.", on: .error)
      receiving.type("\(code)\n")
      let (sent, received) = (try await sending.finish(), try await receiving.finish())
      #expect(sent.status == 0 && received.status == 0, "\(sent)\n\(received)")
    }
  }

  @Test func `a code on a channel that nobody has can be put right while it is looked for`() async throws {
    try await withHost(daemons: .avahi) { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start("send", "1.00", "--code", "--yes", "--json")
      let code = try #require(try await sending.event("code").string("code"))
      let channel = try #require(Int(code.prefix { $0 != "-" }))
      let slip = "\(channel % 99 + 1)-\(code.suffix(6))"
      let receiving = try await bob.start("receive", "--yes", streams: .terminalButOutput)
      try await receiving.text("asks for a code: ", on: .error)
      receiving.type("\(slip)\n")
      try await receiving.text(
        #""alice" is nearby, but its code begins with \#(channel), not \#(channel % 99 + 1)."#, on: .error)
      try await receiving.text("Another code: ", on: .error)
      receiving.type("\(code)\n")
      let (sent, received) = (try await sending.finish(), try await receiving.finish())
      #expect(sent.status == 0 && received.status == 0, "\(sent)\n\(received)")
    }
  }

  @Test func `who is sure of a code types it again, and it costs the stranger's sender no other guess`() async throws {
    try await withHost(daemons: .avahi) { host in
      let people = try ["alice", "mallory", "bob"].map { try BumpCommand($0, on: host) }
      let (right, wrong) = (try await send(people[0]), try await send(people[1]))
      try await announce(people[1], wrong, on: right.code)
      let receiving = try await people[2].start("receive", right.code, "--yes", streams: .terminalButOutput)
      try await receiving.text("The code: ", on: .error)
      receiving.type(right.code + "\n")
      try await receiving.text("Waiting for another sender with that code.", on: .error)
      try await announce(people[0], right, on: right.code)
      let (sent, received) = (try await right.run.finish(), try await receiving.finish())
      #expect(sent.status == 0 && received.status == 0, "\(sent)\n\(received)")
      wrong.run.signal(SIGINT)
      let other = try await wrong.run.finish()
      #expect(other.standardError.matches(of: /tried a wrong code/).count == 1, "\(other)")
    }
  }
}
