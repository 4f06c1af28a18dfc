import Foundation
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
      let hidden = try spellings(of: secret)
      // A program that sends is told the code once, and in its own event.
      let events = sent.lines.filter { !$0.contains("\"event\":\"code\"") }
      #expect(events.count == sent.lines.count - 1, "\(sent)")
      let said = [events.joined(), received.standardOutput, received.standardError]
      let unshown = sent.standardError.replacing(shown, with: "")
      for text in said + [unshown] {
        for spelling in hidden { #expect(!text.contains(spelling)) }
        #expect(!text.contains(code.suffix(6)))
      }
      #expect(sent.standardError.contains("debug") && received.standardError.contains("debug"), "there were logs")
    }
  }

  @Test func `logs, sentences and events tell nothing of a key`() async throws {
    try await withHost(daemons: .none) { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      #expect(try await alice.run("key", "new", "/run/key").status == 0)
      #expect(try await alice.run("key", "new", "/run/other").status == 0)
      let options = ["--discovery", "none", "--verbose", "--json"]
      let sending = try await alice.start(["send", "--amount", "1.00", "--key", "/run/key"] + options)
      let peer = "127.0.0.1:\(Int(try await sending.event("advertising").number("port") ?? 0))"
      let stranger = try await bob.start(["receive", "--peer", peer, "--key", "/run/other"] + options).finish()
      #expect(stranger.status == 6, "\(stranger)")
      let received = try await bob.start(["receive", "--peer", peer, "--key", "/run/key"] + options).finish()
      let sent = try await sending.finish()
      #expect(received.status == 0 && sent.status == 0, "\(sent)\n\(received)")

      let claimID = try #require(try received.result.string("claimId"))
      let secret = try #require(try await bob.secret(of: claimID))
      let keys = try await host.shell("cat /run/key /run/other").standardOutput.split(separator: "\n")
      #expect(keys.count == 2)
      let hidden = try ([secret] + keys.map(String.init)).flatMap(spellings)
      #expect(sent.standardError.contains("debug") && received.standardError.contains("debug"), "there were logs")
      for finished in [sent, stranger, received] {
        for text in hidden {
          #expect(!finished.standardOutput.contains(text) && !finished.standardError.contains(text), "\(finished)")
        }
      }
    }
  }

  @Test func `a code that is shown and typed, and a secret, are in no argument, and no child is started`()
    async throws
  {
    try await withHost { host in
      let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
      let sending = try await alice.start("send", "--amount", "1.00", "--code", "--verify", streams: .terminalButOutput)
      let shown = try await sending.line(on: .error) { $0.contains("The code is ") }
      let code = try #require(shown.firstMatch(of: /\d{1,2}-\d{6}/)?.output)
      let receiving = try await bob.start("receive", "--verify", streams: .terminalButOutput)
      try await receiving.text("asks for a code: ", on: .error)
      receiving.type("\(code)\n")
      try await receiving.text("? [y/n]", on: .error)
      receiving.type("y\n")
      try await sending.text("? [y/n]", on: .error)

      // Both know the code now, and the sender the secret.
      let claimID = try #require(try await alice.history().first?.string("claimId"))
      let hidden = try spellings(of: try #require(try await alice.secret(of: claimID))) + [String(code.suffix(6))]
      for process in [sending, receiving] {
        let arguments = try String(contentsOfFile: "/proc/\(process.processID)/cmdline", encoding: .utf8)
        #expect(arguments.contains(process === sending ? "send" : "receive"), "\(arguments)")
        for text in hidden { #expect(!arguments.contains(text), "\(arguments)") }
        #expect(try children(of: process).isEmpty, "there is no environment but its own")
      }
      sending.type("y\n")
      let (sent, received) = (try await sending.finish(), try await receiving.finish())
      #expect(sent.status == 0 && received.status == 0, "\(sent)\n\(received)")
    }
  }

  /// The processes that name it as their parent.
  private func children(of process: RunningProcess) throws -> [String] {
    let parent = "PPid:\t\(process.processID)\n"
    let all = try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { Int($0) != nil }
    // Those that have ended in the meantime have no status any more.
    return all.filter {
      (try? String(contentsOfFile: "/proc/\($0)/status", encoding: .utf8))?.contains(parent) == true
    }
  }

  /// Bytes that are given in base64, as a text may say them.
  private func spellings(of base64: String) throws -> [String] {
    Lab.spellings(of: try #require(Data(base64Encoded: base64))).dropFirst().map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [SIGABRT, SIGSEGV, SIGQUIT])
  func `a crash leaves no core dump, and no word of what was in memory`(crash: Int32) async throws {
    try await withHost(daemons: .none) { host in
      let alice = try BumpCommand("alice", on: host)
      let script = """
        mkdir /run/crash && cd /run/crash && ulimit -c unlimited
        exec "$0" send --amount 1.00 --discovery none --json
        """
      let sending = try await host.spawn(["sh", "-c", script, BumpCommand.binary], environment: alice.environment)
      try await sending.line { $0.contains("advertising") }
      sending.signal(crash)
      let finished = try await sending.finish()
      #expect(finished.status == -crash, "\(finished)")
      // It would show what the registers point to.
      #expect(!finished.standardError.lowercased().contains("backtrac"), "\(finished)")
      #expect(try await host.run(["ls", "/run/crash"]).standardOutput.isEmpty)
    }
  }
}
