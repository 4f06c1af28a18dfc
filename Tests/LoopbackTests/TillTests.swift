#if Vault
  import Foundation
  import Glibc
  import Lab
  import Testing

  /// The tills of Docs/programs.md, as they stand there, in bash and with jq, with a vault on the same host.
  @Suite(.live) struct TillTests {
    private static let vault = "http://127.0.0.1:8642"

    /// Returns the code block that begins so.
    private static func block(beginning: String) throws -> String {
      let file = URL(filePath: #filePath).appending(path: "../../../Docs/programs.md").standardized
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
      let block = lines.drop { !$0.hasPrefix("    " + beginning) }.prefix { $0.hasPrefix("    ") }
      try #require(!block.isEmpty)
      return block.joined(separator: "\n").replacing("https://vault.example", with: vault)
    }

    /// Starts a till of bob's in his home, where the key is.
    private func start(_ block: String, as bob: BumpCommand) async throws -> RunningProcess {
      let bin = "/run/bin"
      try FileManager.default.createDirectory(atPath: bob.host.path(bin), withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: bob.host.path("\(bin)/bump"), withDestinationPath: BumpCommand.binary)
      let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      return try await bob.host.spawn(
        ["bash", "-c", "cd\n" + block], environment: bob.environment.merging(["PATH": "\(bin):\(path)"]) { $1 })
    }

    /// Ends the bump of a till, and with it the till, which must end well.
    private func end(_ till: RunningProcess) async throws {
      for child in try descendants(of: till.processID) {
        let name = try? String(contentsOfFile: "/proc/\(child)/comm", encoding: .utf8)
        if name == "bump\n" { kill(child, SIGTERM) }
      }
      let ended = try await till.finish()
      #expect(ended.status == 0, "\(ended)")
    }

    private func descendants(of process: pid_t) throws -> [pid_t] {
      let children = try String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
      let own = children.split(separator: " ").compactMap { pid_t($0) }
      return try own + own.flatMap(descendants)
    }

    /// The lines of a file of bob's.
    private func lines(_ file: String, of bob: BumpCommand) throws -> [String] {
      try String(contentsOfFile: bob.host.path("/run/home/bob/\(file)"), encoding: .utf8).split(separator: "\n")
        .map(String.init)
    }

    private func withKey(
      _ body: @escaping @Sendable (_ alice: BumpCommand, _ bob: BumpCommand, _ key: String) async throws -> Void
    ) async throws {
      try await withHost { host in
        let (alice, bob) = (try BumpCommand("alice", on: host), try BumpCommand("bob", on: host))
        let key = "/run/home/bob/till.key"
        #expect(try await alice.run("key", "new", key).status == 0)
        try await host.shell("mkdir -m 700 /run/vault")
        let server = try await host.spawn([
          BumpCommand.program("bump-vault"), "serve", "--store", "/run/vault/vault.sqlite", "--faucet",
        ])
        server.closeInput()
        try await server.line(on: .error) { $0.contains("\"listening\"") }
        for person in [alice, bob] {
          let made = try await person.run("wallet", "new")
          #expect(try await person.run("wallet", "trust", Self.vault, "--yes").status == 0)
          let address = made.standardOutput.split(separator: "\n").last ?? ""
          let body = #"{"address":"\#(address)","amount":"30.00"}"#
          try await host.shell("curl -sf -H 'Content-Type: application/json' -d '\(body)' \(Self.vault)/api/faucet")
        }
        try await body(alice, bob, key)
        server.signal(SIGTERM)
        #expect(try await server.finish().status == 0)
      }
    }

    @Test func `the till that prints what comes in writes down each claim once, and that it was paid`() async throws {
      try await withKey { alice, bob, key in
        let till = try await start(
          Self.block(beginning: "bump receive --keep --yes --json --key till.key --vault"), as: bob)
        var sent: [String] = []
        for amount in ["1.00", "2.50"] {
          let finished = try await alice.run("send", amount, "--vault", Self.vault, "--key", key, "--json")
          #expect(finished.status == 0, "\(finished)")
          sent.append(try #require(finished.result.string("claimId")) + " " + amount)
        }
        let paid = sent.map { String($0.prefix { $0 != " " }) }
        try await waitUntil("the payments") { (try? lines("paid", of: bob)) == paid }
        try await end(till)
        #expect(try lines("claims", of: bob) == sent)
        #expect(try await bob.run("wallet", "balance", "--vault", Self.vault).standardOutput == "33.50 USDC\n")
      }
    }

    @Test func `the till that decides takes its price and nothing else`() async throws {
      try await withKey { alice, bob, key in
        let till = try await start(Self.block(beginning: "[ -p answers ]"), as: bob)
        let wrong = try await alice.start("send", "13.00", "--vault", Self.vault, "--key", key, "--json")
        try await wrong.line(on: .error) { $0.contains("A receiver declined") }
        wrong.signal(SIGINT)
        #expect(try await wrong.finish().status == 130)
        let right = try await alice.run("send", "12.50", "--vault", Self.vault, "--key", key, "--json")
        #expect(right.status == 0, "\(right)")
        let paid = [try #require(right.result.string("claimId"))]
        try await waitUntil("the payment") { (try? lines("paid", of: bob)) == paid }
        try await end(till)
        #expect(try await bob.history().count == 1)
      }
    }
  }
#endif
