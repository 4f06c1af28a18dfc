import Glibc
import Lab
import Testing

/// Modes code and key: only the right receiver.
@Suite(.live) struct CodeTests {
  /// What a sender shows on stderr: its code.
  private func code(of sending: RunningProcess) async throws -> String {
    let line = try await sending.line(on: .error) { $0.contains("The code is ") }
    return String(try #require(line.firstMatch(of: /\d{1,2}-\d{6}/)?.output))
  }

  /// Another code of the same channel.
  private func wrong(_ code: String) -> String {
    String(code.dropLast()) + (code.last == "0" ? "1" : "0")
  }

  @Test(arguments: [["--code"], []])
  func `who knows the code gets the claim, whether it is an option or stands alone`(option: [String]) async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start("send", "--amount", "1.00", "--code")
      let receiving = try await bob.start(["receive"] + option + [code(of: sending)])
      let received = try await receiving.finish()
      #expect(received.status == 0, "\(received)")
      let sent = try await sending.finish()
      #expect(sent.status == 0, "\(sent)")
      #expect(try await alice.states() == ["delivered"])
    }
  }

  @Test func `a code is asked for on a terminal, and typed with a space, and no digits are compared after it`()
    async throws
  {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start("send", "--amount", "1.00", "--code")
      let shown = try await code(of: sending)
      let receiving = try await bob.start("receive", streams: .terminalButOutput)
      try await receiving.text("asks for a code: ", on: .error)
      receiving.type("12-34\n")
      try await receiving.text("six digits", on: .error)
      receiving.type(shown.replacing("-", with: " ") + "\n")
      let received = try await receiving.finish()
      #expect(received.status == 0 && !received.standardError.contains("[y/n]"), "\(received)")
      #expect(try await sending.finish().status == 0)
    }
  }

  @Test func `a question for a code ends once its sender is gone, whom nobody came back to`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start("send", "--amount", "1.00", "--code", "--discovery-timeout", "5")
      let receiving = try await bob.start("receive", streams: .terminalButOutput)
      try await receiving.text("asks for a code: ", on: .error)
      let sent = try await sending.finish()
      #expect(sent.status == 3 && sent.standardError.contains("came without the code, and did not come back with it"))
      try await receiving.text("Question cancelled: its sender is no longer in sight.", on: .error)
      receiving.signal(SIGINT)
      #expect(try await receiving.finish().status == 130)
    }
  }

  @Test func `a slip in a code is put right on a terminal, and the sender says how many tries are left`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start("send", "--amount", "1.00", "--code")
      let shown = try await code(of: sending)
      let receiving = try await bob.start("receive", wrong(shown), "--yes", streams: .terminalButOutput)
      try await receiving.text(#"That is not the code of "alice"."#, on: .error)
      try await receiving.text("The code: ", on: .error)
      try await sending.line(on: .error) { $0 == "Somebody tried a wrong code: 2 tries are left." }
      receiving.type(shown + "\n")
      let (sent, received) = (try await sending.finish(), try await receiving.finish())
      #expect(sent.status == 0 && received.status == 0, "\(sent)\n\(received)")
    }
  }

  @Test func `three wrong codes burn it: no link, no fallback, and the claim stays new`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start("send", "--amount", "1.00", "--code")
      let shown = try await code(of: sending)
      // Each waits five seconds for another sender of the channel.
      let line = ["receive", "--code", wrong(shown)]
      for receiving in [try await bob.start(line), try await bob.start(line), try await bob.start(line)] {
        let received = try await receiving.finish()
        #expect(received.status == 6, "\(received)")
      }
      let sent = try await sending.finish()
      #expect(sent.status == 6, "\(sent)")
      #expect(sent.standardOutput.isEmpty, "\(sent)")
      #expect(try await alice.states() == ["new"])
      #expect(try await bob.history().isEmpty)
    }
  }

  @Test func `where nobody comes with the code in time the link takes its place`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start("send", "--amount", "1.00", "--code", "--discovery-timeout", "30")
      let received = try await bob.run("receive", "--code", wrong(code(of: sending)))
      #expect(received.status == 6, "\(received)")
      let sent = try await sending.finish()
      #expect(sent.status == 3, "\(sent)")
      #expect(try await alice.states() == ["linkShown"])
      let link = try #require(sent.lines.first { $0.hasPrefix("https://") }, "\(sent)")
      #expect(try await bob.run("receive", "--link", link).status == 0)
    }
  }

  @Test func `a receiver with a code does not go to a sender without one`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start("send", "--amount", "1.00", "--wait", "--json")
      try await sending.event("advertising")
      let received = try await bob.runOut(["receive", "--code", "27-482915"], seconds: 6) {
        $0.standardError.contains(#""alice" is here"#)
      }
      #expect(received.status == 3, "\(received)")
      #expect(
        received.standardError.contains(#""alice" is nearby, but uses no code. To receive from there: bump receive"#),
        "\(received)")
      #expect(
        received.standardError.contains(#"a sender whose code begins with 27 was not found in time: "alice" is here"#),
        "\(received)")
      sending.signal(SIGINT)
      #expect(try await sending.finish().status == 130)
    }
  }

  @Test func `who holds the key gets the claim, and its link says who made it`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      #expect(try await alice.run("key", "new", "/run/key").status == 0)
      #expect(try await alice.run("key", "new", "/run/key").status == 1, "it never overwrites")
      #expect(try await host.run(["stat", "--format", "%a", "/run/key"]).standardOutput == "600\n")

      let sending = try await alice.start("send", "--amount", "1.00", "--key", "/run/key")
      let stranger = try await bob.run("receive", "--discovery-timeout", "2")
      #expect(stranger.status == 3, "\(stranger)")
      let received = try await bob.run("receive", "--key", "/run/key")
      #expect(received.status == 0, "\(received)")
      #expect(try await sending.finish().status == 0)

      let shown = try await alice.run("send", "--amount", "2.00", "--key", "/run/key", "--link-only")
      let link = try #require(shown.lines.first)
      let unproven = try await bob.run("receive", "--link", link)
      #expect(unproven.status == 6, "without the key its mac proves nothing: \(unproven)")
      let proven = try await bob.run("receive", "--link", link, "--key", "/run/key")
      #expect(proven.status == 0 && proven.standardError.contains("made by a holder of this key"), "\(proven)")
    }
  }

  @Test func `who met by a code and remembered each other meets again without one, and is not asked`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let first = try await alice.start("send", "--amount", "1.00", "--code", "--remember", "bobby")
      let met = try await bob.run("receive", "--code", code(of: first), "--remember", "ally")
      #expect(met.status == 0, "\(met)")
      #expect(try await first.finish().status == 0)
      #expect(try await alice.run("key", "list").standardOutput == "bobby\n")
      #expect(try await bob.run("key", "list").standardOutput == "ally\n")

      // On terminals, where somebody would be asked otherwise.
      for named in [["--with", "ally"], []] {
        let sending = try await alice.start("send", "--amount", "2.00", "--to", "bobby", streams: .terminalButOutput)
        let receiving = try await bob.start(["receive"] + named, streams: .terminalButOutput)
        let (sent, received) = (try await sending.finish(), try await receiving.finish())
        #expect(sent.status == 0 && received.status == 0, "\(sent)\n\(received)")
        #expect(received.standardError.contains(#"is "ally", whom you remember."#) == named.isEmpty, "\(received)")
      }

      let again = try await alice.run("send", "--amount", "1.00", "--code", "--remember", "bobby")
      #expect(again.status == 1 && again.standardError.contains("key forget"), "a name keeps its key: \(again)")
      #expect(try await alice.run("key", "forget", "bobby").status == 0)
      let forgotten = try await alice.run("send", "--amount", "1.00", "--to", "bobby")
      #expect(forgotten.status == 1, "\(forgotten)")
    }
  }

  @Test func `a key file that others can read is refused, with the chmod that mends it`() async throws {
    try await withHost(daemons: .none) { host in
      let alice = try BumpCommand("alice", on: host)
      #expect(try await alice.run("key", "new", "/run/key").status == 0)
      try await host.shell("chmod 644 /run/key")
      let refused = try await alice.run("send", "--amount", "1.00", "--key", "/run/key")
      #expect(refused.status == 64, "\(refused)")
      #expect(refused.standardError.contains("chmod 600 /run/key"), "\(refused)")
      #expect(try await alice.history().isEmpty)
    }
  }
}
