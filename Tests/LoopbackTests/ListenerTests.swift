import Glibc
import Lab
import Testing

/// Without discovery: the address has to be told.
@Suite(.live) struct ListenerTests {
  /// The command for the other machine as a sender prints it.
  private func counterpart(of sending: RunningProcess) async throws -> String {
    let line = try await sending.line(on: .error) { $0.hasPrefix("Listening on port ") }
    return String(try #require(line.firstMatch(of: /On (?:the other|this) machine: (bump receive .*)/)).1)
  }

  /// Types a command as it was printed into somebody's shell, where the sender has a minute to answer.
  private func type(_ command: String, as person: BumpCommand, input: String = "") async throws -> ProcessResult {
    let script = "cd; bump() { \(BumpCommand.binary) \"$@\" --discovery-timeout 60; }; \(command)"
    return try await person.host.run(["sh", "-c", script], environment: person.environment, input: input)
  }

  @Test(arguments: [[], ["--key", "the key"]])
  func `what a sender without discovery prints for the other machine works as it is printed`(key: [String]) async throws
  {
    try await withHosts(["left", "right"]) { hosts in
      let link = try await Link.join(hosts[0], hosts[1], .ipv4)
      let (alice, bob) = (try BumpCommand("alice", on: hosts[0]), try BumpCommand("bob", on: hosts[1]))
      try await hosts[0].shell("cd /run/home/alice; \(BumpCommand.binary) key new 'the key'")
      let bytes = try await hosts[0].shell("cat '/run/home/alice/the key'").standardOutput
      try await hosts[1].shell("umask 77; echo \(bytes.dropLast()) >'/run/home/bob/the key'")
      let words = ["send", "--amount", "1.00", "--discovery", "none"] + key
      let sending = try await hosts[0].spawn(
        ["env", "--chdir", "/run/home/alice", BumpCommand.binary] + words, environment: alice.environment)
      let printed = try await counterpart(of: sending)
      #expect(printed.contains("--peer 10."), "an address of this machine, and not the loopback's: \(printed)")
      let received = try await type(printed, as: bob)
      #expect(received.status == 0, "\(received)")
      #expect(try await sending.finish().status == 0)
      _ = link
    }
  }

  @Test func `a sender with link-local addresses alone prints one that lacks the other machine's interface`()
    async throws
  {
    try await withHosts(["left", "right"]) { hosts in
      let link = try await Link.join(hosts[0], hosts[1], .linkLocal)
      let (alice, bob) = (try BumpCommand("alice", on: hosts[0]), try BumpCommand("bob", on: hosts[1]))
      let sending = try await alice.start("send", "1.00", "--discovery", "none")
      let line = try await sending.line(on: .error) { $0.hasPrefix("Listening on port ") }
      let command = try #require(
        line.firstMatch(of: /On the other machine, with its network interface for INTERFACE: (bump receive .*)/)
      ).1
      let interface = try #require(link.interface(of: hosts[1]))
      let received = try await type(String(command.replacing("INTERFACE", with: interface)), as: bob)
      #expect(received.status == 0, "\(received)")
      #expect(try await sending.finish().status == 0)
    }
  }

  @Test func `a sender that waits until Ctrl-C goes on until then, and its claim stays new`() async throws {
    try await withHost(daemons: .none) { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start(
        "send", "--amount", "1.00", "--discovery", "none", "--wait", streams: .terminalButOutput)
      #expect(try await counterpart(of: sending).contains("--peer 127.0.0.1:"))
      try await sending.text(" There is no network. On this machine: bump receive", on: .error)
      try await sending.text("Waiting for a receiver until Ctrl-C, for ", on: .error)
      sending.type("\u{3}")
      #expect(try await sending.finish().status == 130)
      #expect(try await alice.states() == ["new"])

      let receiving = try await bob.start("receive", "--peer", "127.0.0.1:9", "--wait", streams: .terminalButOutput)
      try await receiving.text("Waiting for a sender until Ctrl-C, for ", on: .error)
      receiving.type("\u{3}")
      #expect(try await receiving.finish().status == 130)
    }
  }
}
