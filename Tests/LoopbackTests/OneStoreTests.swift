import Glibc
import Lab
import Testing

/// Two processes of one user, with the store that both have unless told otherwise.
@Suite(.live) struct OneStoreTests {
  private func user(on host: Host) throws -> BumpCommand {
    var user = try BumpCommand("alice", on: host)
    user.environment["BUMP_STORE"] = nil
    return user
  }

  /// What is said of a claim that was sent from its store and received into it.
  private func expectBoth(of alice: BumpCommand) async throws {
    let listed = try await alice.history()
    #expect(listed.map { $0.string("direction") } == ["received", "sent"])
    #expect(listed.map { $0.string("state") } == ["received", "delivered"])
    let id = try #require(listed.first?.string("claimId"))
    #expect(listed.last?.string("claimId") == id)
    let shown = try await alice.run("show", id)
    #expect(shown.lines.filter { $0.hasPrefix("state") } == ["state    delivered", "state    received"], "\(shown)")
    for command in [["link"], ["send", "--again"], ["settle", "--lost"]] {
      let refused = try await alice.start(command + [id]).finish()
      #expect(refused.status == 1 && refused.standardOutput.isEmpty, "\(refused)")
      #expect(refused.standardError.contains("was delivered"), "\(refused)")
    }
    let settled = try await alice.run("settle", id, "--delivered")
    #expect(settled.status == 0 && settled.standardOutput == "Claim \(id) is delivered.\n", "\(settled)")
  }

  @Test(arguments: [[], ["--code"]])
  func `a claim goes from one process to another that shares its store, and is there as sent and as received`(
    option: [String]
  ) async throws {
    try await withHost { host in
      let alice = try user(on: host)
      let sending = try await alice.start(["send", "1.00"] + option)
      var code: [String] = []
      if !option.isEmpty {
        let line = try await sending.line(on: .error) { $0.contains("The code is ") }
        code = [String(try #require(line.firstMatch(of: /\d{1,2}-\d{6}/)?.output))]
      }
      let received = try await alice.start(["receive"] + code).finish()
      #expect(received.status == 0 && received.lines.last?.hasPrefix("1.00 USDC from") == true, "\(received)")
      let sent = try await sending.finish()
      #expect(sent.status == 0 && sent.standardError.contains(#"Delivered 1.00 USDC to "alice""#), "\(sent)")
      try await expectBoth(of: alice)
    }
  }

  @Test func `a claim that has come to its own store is delivered, though its sender is killed before it hears so`()
    async throws
  {
    try await withHost { host in
      let alice = try user(on: host)
      let sending = try await alice.start(
        "send", "1.00", "--verify", "--send-timeout", "60", streams: .terminalButOutput)
      let receiving = try await alice.start("receive")
      let received = try await sending.stopUnanswered(by: receiving, on: host)
      #expect(received.status == 0, "\(received)")
      sending.signal(SIGKILL)
      _ = try await sending.finish()
      try await expectBoth(of: alice)
    }
  }
}
