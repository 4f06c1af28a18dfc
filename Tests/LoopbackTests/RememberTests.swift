import Glibc
import Lab
import Testing

/// `--remember`: both ends, or neither, and both say which.
@Suite(.live) struct RememberTests {
  /// What a sender shows on stderr: its code.
  private func code(of sending: RunningProcess) async throws -> String {
    let line = try await sending.line(on: .error) { $0.contains("The code is ") }
    return String(try #require(line.firstMatch(of: /\d{1,2}-\d{6}/)?.output))
  }

  @Test(arguments: [true, false])
  func `where one side alone has --remember it is told so, the claim arrives, and no key is kept`(
    isSender: Bool
  ) async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start(
        ["send", "--amount", "1.00", "--code", "--json"] + (isSender ? ["--remember", "bobby"] : []))
      let shown = try await code(of: sending)
      let receiving = try await bob.start(
        ["receive", "--code", shown, "--json"] + (isSender ? [] : ["--remember", "ally"]))
      let (received, sent) = (try await receiving.finish(), try await sending.finish())
      #expect(received.status == 0 && sent.status == 0, "\(received)\n\(sent)")
      let (told, other) = isSender ? (sent, received) : (received, sent)
      let event = try #require(try told.events.first { $0.string("event") == "notRemembered" })
      #expect(event.string("reason") == "notAskedThere")
      #expect(
        told.standardError.contains("the \(isSender ? "receiver" : "sender") was not started with --remember"),
        "\(told)")
      #expect(try !other.events.contains { $0.string("event")?.contains("emember") == true }, "\(other)")
      for person in [alice, bob] { #expect(try await person.run("key", "list").standardOutput.isEmpty) }
    }
  }

  @Test func `where the receiver's answer is lost the sender says so, and the key serves once both meet again`()
    async throws
  {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start(
        "send", "--amount", "1.00", "--code", "--verify", "--remember", "bobby", "--json",
        streams: .terminalButOutput)
      let receiving = try await bob.start(
        "receive", "--code", try await code(of: sending), "--remember", "ally", "--json")
      // It must have read HOLD: without it its own time is over when it goes on.
      try await receiving.event("deciding")
      await receiving.freeze()
      // What is typed before the question does not answer it.
      try await sending.text("[y/n]", on: .error)
      sending.type("y\n")
      let sent = try await sending.finish()
      #expect(sent.status == 5, "\(sent)")
      try await sending.event("rememberingUnknown")
      #expect(try await alice.run("key", "list").standardOutput.contains("not known"))

      // CLAIM has reached its machine.
      receiving.signal(SIGCONT)
      let received = try await receiving.finish()
      #expect(received.status == 0 && received.standardError.contains("Both ends remember"), "\(received)")

      let again = try await alice.start("send", "--amount", "2.00", "--to", "bobby")
      #expect(try await bob.run("receive", "--with", "ally").status == 0)
      let delivered = try await again.finish()
      #expect(delivered.status == 0 && delivered.standardError.contains("not known"), "\(delivered)")
      #expect(try await alice.run("key", "list").standardOutput == "bobby\n", "it has shown that it remembers")
    }
  }

  @Test func `a claim for somebody who is remembered does not go to a receiver of the same store`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let first = try await alice.start("send", "--amount", "1.00", "--code", "--remember", "bobby")
      #expect(try await bob.run("receive", "--code", code(of: first), "--remember", "ally").status == 0)
      #expect(try await first.finish().status == 0)

      let sending = try await alice.start("send", "--amount", "2.00", "--to", "bobby", "--json")
      let port = Int(try #require(try await sending.event("advertising").number("port")))
      let own = try await alice.run("receive", "--with", "bobby", "--peer", "127.0.0.1:\(port)", "--json")
      #expect(own.status == 6 && own.standardError.contains("another key"), "\(own)")
      let received = try await bob.run("receive", "--with", "ally")
      #expect(received.status == 0, "\(received)")
      #expect(try await sending.finish().status == 0)

      let back = try await bob.start("send", "--amount", "3.00", "--to", "ally")
      let returned = try await alice.run("receive")
      #expect(
        returned.status == 0 && returned.standardError.contains(#" is "bobby", whom you remember."#), "\(returned)")
      #expect(try await back.finish().status == 0, "the other way, and without a name")
    }
  }

  @Test func `ABORT 1 of a sender becomes a sentence, and nothing is tried again`() async throws {
    try await withHost(daemons: .none) { host in
      let bob = try BumpCommand("bob", on: host)
      let other = try await host.spawn(["python3", "-c", Self.otherSender])
      let port = try await other.line { Int($0) != nil }
      let received = try await bob.run(
        "receive", "--code", "27-482915", "--remember", "ally", "--peer", "127.0.0.1:\(port)", "--json")
      #expect(received.status == 3, "\(received)")
      #expect(received.standardError.contains("Use the same version of bump"), "\(received)")
      let event = try #require(try received.events.first { $0.string("event") == "notRemembered" })
      #expect(event.string("reason") == "noClaim")
      other.closeInput()
      #expect(try await other.finish().lines.dropFirst() == ["1"], "one HELLO")
    }
  }

  @Test func `a sender answers a HELLO of its version, and ABORT 1 to all others`() async throws {
    try await withHost(daemons: .none) { host in
      let alice = try BumpCommand("alice", on: host)
      let sending = try await alice.start(
        "send", "--amount", "1.00", "--code", "--remember", "bobby", "--discovery", "none", "--json")
      let port = Int(try #require(try await sending.event("advertising").number("port")))
      let answers = try await host.run(["python3", "-c", Self.hellos, "\(port)"])
      // The type, and WELCOME's version or ABORT's reason.
      #expect(answers.lines == ["15 1", "2 1", "15 1", "15 1"], "\(answers)")
      sending.signal(SIGINT)
      #expect(try await sending.finish().status == 130)
    }
  }

  /// Prints its port, answers every HELLO with ABORT 1, and at the end of its input prints the versions it was told.
  private static let otherSender = """
    import select, socket, sys
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    versions = []
    while listener in select.select([listener, sys.stdin], [], [])[0]:
        connection, _ = listener.accept()
        versions.append(str(connection.recv(24, socket.MSG_WAITALL)[7]))
        connection.sendall(b"\\x00\\x02\\x0f\\x01")
        connection.close()
    print(" ".join(versions))
    """

  /// Says HELLO of the versions 0 to 2 and 255, and prints the type of each answer and what it says of the version.
  private static let hellos = """
    import os, socket, sys
    for version in (0, 1, 2, 255):
        connection = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
        connection.sendall(b"\\x00\\x16\\x01BUMP" + bytes([version]) + os.urandom(16))
        length = int.from_bytes(connection.recv(2, socket.MSG_WAITALL), "big")
        frame = connection.recv(length, socket.MSG_WAITALL)
        print(frame[0], frame[5] if frame[0] == 2 else frame[1])
        connection.close()
    """
}
