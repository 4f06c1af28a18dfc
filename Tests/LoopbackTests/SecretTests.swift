import Glibc
import Lab
import Testing

/// Secrets stay in.
@Suite(.live) struct SecretTests {
  @Test func `logs, sentences and events tell neither the secret nor the code`() async throws {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start("send", "--amount", "1.00", "--code", "--verbose", "--json")
      let shown = try await sending.line(on: .error) { $0.contains("The code is ") }
      let code = String(try #require(shown.firstMatch(of: /\d{1,2}-\d{6}/)?.output))
      let received = try await bob.run("receive", "--code", code, "--verbose", "--json")
      let sent = try await sending.finish()
      #expect(received.status == 0 && sent.status == 0, "\(sent)\n\(received)")

      let claimID = try #require(try received.result.string("claimId"))
      let secret = try #require(try await bob.secret(of: claimID))
      let urlSecret = secret.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
      let said = [sent.standardOutput, received.standardOutput, received.standardError]
      let unshown = sent.standardError.replacing(shown, with: "")
      for text in said + [unshown] {
        #expect(!text.contains(secret) && !text.contains(urlSecret))
        #expect(!text.contains(code.suffix(6)))
      }
      #expect(sent.standardError.contains("debug") && received.standardError.contains("debug"), "there were logs")
    }
  }

  @Test func `a crash leaves no core dump`() async throws {
    try await withHost(daemons: .none) { host in
      let alice = try BumpCommand("alice", on: host)
      let script = """
        mkdir /run/crash && cd /run/crash && ulimit -c unlimited
        exec "$0" send --amount 1.00 --discovery none --json
        """
      let sending = try await host.spawn(["sh", "-c", script, BumpCommand.binary], environment: alice.environment)
      try await sending.line { $0.contains("advertising") }
      sending.signal(SIGABRT)
      _ = try await sending.finish()
      #expect(try await host.run(["ls", "/run/crash"]).standardOutput.isEmpty)
    }
  }
}
