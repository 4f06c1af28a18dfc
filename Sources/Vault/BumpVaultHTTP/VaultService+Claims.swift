import BumpClaims
import BumpVault
import BumpVaultAPI
import BumpWallet

extension VaultService {
  /// Stores a draft. The repeat of an equal draft gets its first answer without counting against the limit.
  func draft(_ request: DraftRequest, _ client: Client) async throws -> VaultResponse {
    guard let identity = request.identity else {
      try checkSecure(client, "to draw a claim's secret")
      try await admit(client, by: limiter)
      try await check(request.solution, client)
      let (id, secret) = (ClaimID(drawing: { Self.random(16) }), try ClaimSecret(Self.random(16)))
      let key = ClaimKey(secret: secret, claimID: id)
      let claim = try await vault.draft(id, request.terms(key.secretHash))
      return VaultResponse(.drafted(claim, secret: secret))
    }
    let (id, terms) = (identity.claimID, request.terms(identity.secretHash))
    if let claim = try await vault.repeated(id, terms) { return VaultResponse(.drafted(claim)) }
    try await admit(client, by: limiter)
    try await check(request.solution, client)
    return VaultResponse(.drafted(try await vault.draft(id, terms)))
  }

  private static func random(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return generator.bytes(count)
  }

  /// Locks a claim's amount. The repeat of an equal deposit gets its first answer even beyond the limit, also if somebody
  /// else has carried it to another id.
  func deposit(_ id: ClaimID, _ request: DepositRequest, _ client: Client) async throws -> VaultResponse {
    let authorization = SenderAuthorization(
      sender: request.sender, validBefore: request.validBefore, bytes: request.authorization)
    do {
      try await admit(client, by: limiter)
    } catch {
      guard try await vault.authorization(ofDeposit: id) == authorization else { throw error }
    }
    switch try await vault.deposit(id, authorization) {
    case .submitted(let transaction): return VaultResponse(.submitted(transaction))
    case .done(let claim):
      guard let answer = Answer.deposited(claim) else {
        throw VaultStoreError(.damaged, "a claim was deposited, and is a draft")
      }
      return VaultResponse(answer)
    }
  }

  /// Pays a claim out. A request with the secret itself must be secure.
  func pay(_ name: ClaimName, _ request: PayoutRequest, _ client: Client) async throws -> VaultResponse {
    if case .secret = request.right { try checkSecure(client, "to be given a claim's secret") }
    return try await settle(name, client, Answer.paid) { id in
      let proof =
        switch request.right {
        case .proof(let bytes): bytes
        case .secret(let secret, of: let made): try await proof(of: id, secret, madeFor: made, for: request.receiver)
        }
      return try await vault.pay(id, for: request.receiver, proof: proof)
    }
  }

  /// Returns the proof that the claim's secret makes. If there can be none, returns an empty one, and the vault then
  /// says why.
  ///
  /// - Parameters:
  ///   - id: the id under which the amount was deposited.
  ///   - made: the id for which the secret was made.
  private func proof(
    of id: ClaimID, _ secret: ClaimSecret, madeFor made: ClaimID, for receiver: Address
  ) async throws -> [UInt8] {
    guard
      let terms = try await vault.terms(of: id), let payout = try? vault.pinned.payout(of: terms, to: receiver)
    else { return [] }
    return ClaimKey(secret: secret, claimID: made).proof(of: payout).bytes
  }

  /// Pays an expired claim back.
  func refund(_ name: ClaimName, _ client: Client) async throws -> VaultResponse {
    try await settle(name, client, Answer.receipt) { try await vault.refund($0) }
  }

  /// Ends a claim.
  private func settle<Settled>(
    _ name: ClaimName, _ client: Client, _ answer: (Settled) -> Answer,
    _ body: (ClaimID) async throws -> VaultOutcome<Settled>
  ) async throws -> VaultResponse {
    try await self.answer(about: name, client) { id in
      switch try await body(id) {
      case .done(let settled): VaultResponse(answer(settled))
      case .submitted(let transaction): VaultResponse(.submitted(transaction))
      }
    }
  }

  /// Answers a request about one claim. One that succeeds is not counted. If the claim's money is or was in the vault,
  /// the request is also allowed beyond the limit, up to the ceiling. A refusal is counted.
  func answer(
    about name: ClaimName, _ client: Client, _ body: (ClaimID) async throws -> VaultResponse
  ) async throws -> VaultResponse {
    do {
      try await admit(client, by: limiter, isCounted: false)
    } catch {
      guard let id = try? await vault.claimID(name), try await vault.isDeposited(id) else {
        throw error
      }
    }
    do {
      return try await body(try await vault.claimID(name))
    } catch let refusal as VaultRefusal {
      try? await admit(client, by: limiter)
      throw refusal
    }
  }

  /// Makes test money of the vault's first token.
  func mint(_ request: FaucetRequest) async throws -> VaultResponse {
    guard request.amount <= settings.mostOfFaucet else {
      throw Problem(
        .overCap, "the faucet gives at most \(settings.mostOfFaucet) at a time",
        remedy: "Ask several times",
        field: "amount")
    }
    guard let token = vault.pinned.vault.tokens.first, let id = request.id ?? Bytes32(Self.random(32))
    else {
      throw Problem(.unknownToken, "the vault holds no token")
    }
    return VaultResponse(
      .minted(try await vault.mint(id, request.amount, of: token.address, to: request.address)))
  }

  /// Returns the stream of a claim's events. It subscribes first and reads the claim then, so that no change is missed.
  func events(_ name: ClaimName, _ client: Client) async throws -> VaultResponse {
    let id = try await vault.claimID(name)
    guard let subscription = watchers.subscribe(id, from: client.address.network) else {
      throw Problem(
        .tooManyRequests, "too many streams of events are open", remedy: "Close one, or ask for the claim itself",
        retryAfter: 60)
    }
    let events = ClaimEvents(
      claim: id, name: name, vault: vault, subscription: subscription, watchers: watchers,
      heartbeat: settings.heartbeat,
      clock: { [clock] in clock() / 1000 }, report: report)
    do {
      _ = try await vault.view(id, askedBy: name)
    } catch {
      events.end()
      throw error
    }
    return VaultResponse(
      200, headers: [.init("Content-Type", ServerSentEvents.contentType), .init("Cache-Control", "no-store")],
      body: .events(events))
  }
}

extension DraftRequest {
  fileprivate func terms(_ secretHash: Bytes32) -> ClaimTerms {
    ClaimTerms(secretHash: secretHash, token: token, amount: amount, expiry: expiry)
  }
}
