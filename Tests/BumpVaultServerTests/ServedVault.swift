#if Vault
  import BumpClaims
  import BumpVaultAPI
  import BumpWallet
  import Foundation
  import Lab
  import Testing

  /// `bump-vault serve` as a process, and what a client knows of it.
  struct ServedVault: Sendable {
    let process: RunningProcess
    let port: Int
    /// The host that its requests name: behind a proxy that of its URL.
    let host: String
    let vault: PinnedVault
    let token: Address

    static let binary = BumpCommand.program("bump-vault")

    /// Starts it, and returns once it listens.
    ///
    /// - Parameter within: a command that runs it.
    static func start(
      _ arguments: [String], environment: [String: String] = [:], within prefix: [String] = []
    ) async throws -> ServedVault {
      let isProxied = arguments.contains("--proxy")
      let host = isProxied ? "vault.example" : "127.0.0.1"
      let process = try await RunningProcess.start(
        prefix + [binary, "serve", "--listen", "127.0.0.1:0", "--faucet", "--requests-per-minute", "1000000"]
          + (isProxied ? ["--public-url", "https://\(host)"] : []) + arguments,
        environment: environment.merging(["HOME": "/nonexistent"]) { given, _ in given })
      process.closeInput()
      let line = try await process.line(on: .error) { $0.contains("\"listening\"") }
      let url = try #require(JSONObject(line).string("url"))
      let port = try #require(url.split(separator: ":").last.flatMap { Int($0) })
      let reply = try await ask(port, "GET", "/api/vault", host: host)
      let known = try JSONDecoder().decode(Known.self, from: Data(reply.body.utf8))
      let description = try VaultDescription(
        chainID: known.chainId, address: Address(known.address),
        tokens: known.tokens.map {
          TokenContract(
            token: try Token($0.symbol), address: try Address($0.address), domainName: $0.domain.name,
            domainVersion: $0.domain.version)
        })
      let vault = try PinnedVault(confirmed: description)
      return ServedVault(process: process, port: port, host: host, vault: vault, token: try vault.contract(of: .usdc))
    }

    /// Gives a test a server on a file of its own, which it may end; what is left is killed.
    static func with(
      _ arguments: [String] = [], _ body: @Sendable (ServedVault, _ store: String) async throws -> Void
    ) async throws {
      let directory = FileManager.default.temporaryDirectory.appending(path: "vault-\(UUID().uuidString)").path
      defer { try? FileManager.default.removeItem(atPath: directory) }
      let store = "\(directory)/vault.sqlite"
      let served = try await start(["--store", store] + arguments)
      do {
        try await body(served, store)
        served.process.signal(SIGKILL)
        _ = try await served.process.finish()
      } catch {
        served.process.signal(SIGKILL)
        _ = try? await served.process.finish()
        throw error
      }
    }

    static func ask(
      _ port: Int, _ method: String, _ path: String, _ body: String = "", _ headers: String = "",
      host: String = "127.0.0.1"
    ) async throws -> Reply {
      let request =
        "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\(headers)"
        + (body.isEmpty ? "" : "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n") + "\r\n"
        + body
      return try await Wire.open(port) { wire in
        try await wire.send(request)
        return Reply(try await wire.end())
      }
    }

    func ask(_ method: String, _ path: String, _ body: JSONValue? = nil, _ headers: String = "") async throws -> Reply {
      try await Self.ask(port, method, path, body?.text ?? "", headers, host: host)
    }

    private struct Known: Decodable {
      struct Contract: Decodable {
        struct Domain: Decodable { let name, version: String }
        let symbol, address: String
        let domain: Domain
      }
      let chainId: UInt64
      let address: String
      let tokens: [Contract]
    }
  }

  /// A claim as its sender makes it.
  struct ServedClaim: Sendable {
    let id: ClaimID
    let secret: ClaimSecret
    let terms: ClaimTerms
    let served: ServedVault
    var key: ClaimKey { ClaimKey(secret: secret, claimID: id) }
    var path: String { "/api/claims/\(id)" }

    init(_ served: ServedVault, _ amount: String = "1.00", lasting seconds: Int64 = 3600) throws {
      let draw = { (0..<16).map { _ in UInt8.random(in: .min ... .max) } }
      (id, secret, self.served) = (ClaimID(drawing: draw), try ClaimSecret(draw()), served)
      let expiry = (Int64(Date().timeIntervalSince1970) + seconds) / 60 * 60
      terms = ClaimTerms(
        secretHash: ClaimKey(secret: secret, claimID: id).secretHash, token: served.token, amount: try Amount(amount),
        expiry: Expiry(clamping: expiry))
    }

    /// Makes money for the sender, drafts and deposits.
    func lock(by sender: PrivateKey) async throws {
      let mint = FaucetRequest(address: sender.address, amount: terms.amount, id: terms.ledgerID)
      try await expect(served.ask("POST", "/api/faucet", mint.json), 200)
      try await expect(draft(), 201)
      try await expect(deposit(by: sender), 200)
    }

    func draft() async throws -> Reply {
      let identity = DraftRequest.Identity(claimID: id, secretHash: terms.secretHash)
      let draft = DraftRequest(identity, token: terms.token, amount: terms.amount, expiry: terms.expiry)
      return try await served.ask("POST", "/api/claims", draft.json)
    }

    func deposit(by sender: PrivateKey) async throws -> Reply {
      let validBefore = Expiry(clamping: Int64(Date().timeIntervalSince1970) + 120)
      let message = try served.vault.deposit(of: terms, from: sender.address, validBefore: validBefore)
      let deposit = DepositRequest(
        sender: sender.address, authorization: sender.sign(message.digest).bytes, validBefore: validBefore)
      return try await served.ask("POST", path + "/deposit", deposit.json)
    }

    func payout(to receiver: Address) throws -> JSONValue {
      let proof = key.proof(of: try served.vault.payout(of: terms, to: receiver))
      return PayoutRequest(receiver: receiver, .proof(proof.bytes)).json
    }

    func take(to receiver: Address, at other: ServedVault? = nil) async throws -> Reply {
      try await (other ?? served).ask("POST", path + "/claim", payout(to: receiver))
    }

    private func expect(_ reply: Reply, _ status: Int) throws {
      guard reply.status == status else { throw Unexpected(description: "not \(status): \(reply)") }
    }
  }

  /// Another answer than a test needs. One that kills the server expects it.
  struct Unexpected: Error, CustomStringConvertible { let description: String }

  /// The wallet of somebody.
  func wallet(_ number: UInt64) throws -> PrivateKey {
    try PrivateKey(Array(repeating: 7, count: 24) + withUnsafeBytes(of: (number + 1).bigEndian, Array.init))
  }
#endif
