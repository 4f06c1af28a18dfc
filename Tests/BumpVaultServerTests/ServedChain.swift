#if Vault
  import Foundation
  import Glibc
  import Lab
  import Testing

  /// What the operator of a vault on a chain has: a folder with two keys and a configuration, and a chain's node.
  struct ServedChain: Sendable {
    let chain: TestChain
    let folder: String
    /// The addresses of the keys.
    let relayer: String
    let receipts: String

    var configuration: String { "\(folder)/chain.json" }
    var relayerKey: String { "\(folder)/relayer.key" }
    var receiptKey: String { "\(folder)/receipt.key" }
    var store: String { "\(folder)/chain.sqlite" }

    /// Gives a test keys, and a node on which the relayer has coins. Ends the node afterwards.
    static func with(
      _ options: [String] = [], _ body: @Sendable (ServedChain) async throws -> Void
    ) async throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "chain-\(UUID().uuidString)").path
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let (relayer, receipts) = (try await key("\(folder)/relayer.key"), try await key("\(folder)/receipt.key"))
      try await TestChain.with(["--token", "--fund", relayer] + options) { chain in
        try await body(ServedChain(chain: chain, folder: folder, relayer: relayer, receipts: receipts))
      }
    }

    /// Makes a key, or finds the one that is there, and returns its address.
    static func key(_ path: String) async throws -> String {
      let finished = try await run(["chain", "key", path])
      try #require(finished.status == 0, "\(finished)")
      return finished.standardOutput.trimmingCharacters(in: .newlines)
    }

    /// Runs `bump-vault` to its end.
    static func run(_ arguments: [String]) async throws -> ProcessResult {
      let process = try await start(arguments)
      return try await process.finish()
    }

    static func start(_ arguments: [String]) async throws -> RunningProcess {
      let process = try await RunningProcess.start(
        [ServedVault.binary] + arguments, environment: ["HOME": "/nonexistent"])
      process.closeInput()
      return process
    }

    /// The arguments that deploy the contract and write the configuration.
    func deploying(_ more: [String] = ["--yes"]) -> [String] {
      ["deploy", "--node", chain.url, "--key", relayerKey, "--chain-id", "31337"] + more
    }

    /// Deploys the contract and writes the configuration.
    @discardableResult func deploy() async throws -> ProcessResult {
      let token = try #require(chain.token)
      let finished = try await Self.run(deploying(["--yes", "--token", token, "--write", configuration]))
      try #require(finished.status == 0, "\(finished)")
      return finished
    }

    /// How many transactions the relayer's key has made, in hex.
    func transactions() async throws -> String {
      try await chain.call("eth_getTransactionCount", "[\"\(relayer)\"]")
    }

    /// The arguments that serve the vault.
    func serving(_ more: [String] = []) -> [String] {
      [
        "serve", "--listen", "127.0.0.1:0", "--chain", configuration, "--relayer-key", relayerKey, "--receipt-key",
        receiptKey, "--store", store,
      ] + more
    }

    /// The arguments that show how the vault stands.
    func asking(_ more: [String] = []) -> [String] {
      ["chain", "status", "--chain", configuration, "--relayer", relayer, "--store", store] + more
    }

    /// Writes the configuration with another text in place of one that it has.
    func change(_ text: String, _ other: String) throws {
      let old = try String(contentsOfFile: configuration, encoding: .utf8)
      try #require(old.contains(text), "\(old)")
      try old.replacing(text, with: other).write(toFile: configuration, atomically: false, encoding: .utf8)
    }

    /// Serves the vault for a test, and ends the server. Then nothing may have failed.
    func serve(_ more: [String] = [], _ body: @Sendable (_ port: Int) async throws -> Void) async throws {
      let process = try await Self.start(serving(more))
      do {
        let line = try await process.line(on: .error) { $0.contains("\"listening\"") }
        let url = try #require(JSONObject(line).string("url"))
        try await body(try #require(url.split(separator: ":").last.flatMap { Int($0) }))
        process.signal(SIGTERM)
        let finished = try await process.finish()
        #expect(finished.status == 0, "\(finished)")
      } catch {
        process.signal(SIGKILL)
        _ = try? await process.finish()
        throw error
      }
    }
  }
#endif
