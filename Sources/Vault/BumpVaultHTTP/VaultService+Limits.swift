import BumpVault
import BumpVaultAPI
import BumpWallet

extension VaultService {
  /// Counts a request by its path and method alone.
  ///
  /// A request that one of both limits refuses here counts against neither: no body was read for it, and the store was
  /// not asked. So a neighbour who goes on asking after a refusal takes no payout's place.
  ///
  /// - Parameter route: the path's; `nil` for a path that is none.
  /// - Throws: `tooManyRequests`.
  func count(_ route: Route?, _ method: String, _ client: Client) async throws {
    let isLimited = route.map { $0.isLimited || !$0.serves(method) } ?? true
    // Health checks have no limit. Readiness has the ceiling, since it costs a question to the store.
    if route == .health, !isLimited { return }
    // A page needs nothing of the store, so it does not wait for the store's count either.
    let waits = route?.isPage != true
    guard isLimited else { return try await admit(client, by: ceiling, waitsForLedger: waits) }
    try await admit(client, by: ceiling, isCounted: false, waitsForLedger: waits)
    try await admit(client, by: limiter)
    try await admit(client, by: ceiling, waitsForLedger: waits)
  }

  /// Checks a request against a limit, and counts it unless `isCounted` is `false`.
  ///
  /// - Parameter waitsForLedger: whether the request waits until all servers together can count it.
  /// - Throws: `tooManyRequests`.
  func admit(
    _ client: Client, by gate: RequestGate, isCounted: Bool = true, waitsForLedger: Bool = true
  ) async throws(Problem) {
    let network = client.address.network
    guard let wait = await gate.wait(network, isCounted: isCounted, waitsForLedger: waitsForLedger) else { return }
    throw Problem(
      .tooManyRequests, "there were too many requests from this address", remedy: "Wait, and ask less often",
      retryAfter: wait)
  }

  /// Allows a secret in a request or answer only if nobody on the way can read it.
  ///
  /// - Throws: `insecure`.
  func checkSecure(_ client: Client, _ purpose: String) throws(Problem) {
    guard client.isSecure else {
      throw Problem(
        .insecure, "the vault must be reached over TLS, or on its own machine, \(purpose)",
        remedy: "Send a proof instead, or draw the secret where the claim is made")
    }
  }

  /// Checks that a draft has a solved challenge, and uses it up. Clients on this machine need none.
  ///
  /// - Throws: `challengeRequired`, `badChallenge`.
  func check(_ solution: SolvedChallenge?, _ client: Client) async throws {
    guard !client.isLocal else { return }
    let remedy = "Get a challenge from /api/challenge, and send it solved in the field altcha"
    guard let solution else {
      throw Problem(.challengeRequired, "a draft takes a solved challenge", remedy: remedy, field: "altcha")
    }
    let now = now
    switch issuer.verdict(on: solution, at: now) {
    case .solved(let digest, let expires):
      guard try await challenges.use(digest, until: expires, at: now) else {
        throw Problem(.badChallenge, "the challenge was used before", remedy: remedy, field: "altcha")
      }
    case .expired: throw Problem(.badChallenge, "the challenge has expired", remedy: remedy, field: "altcha")
    case .invalid:
      throw Problem(.badChallenge, "the challenge is not this vault's, or not solved", remedy: remedy, field: "altcha")
    }
  }

  /// Checks that the account's owner signed the request.
  ///
  /// - Throws: `notSigned`.
  func checkOwner(of account: Address, _ request: VaultRequest) throws(Problem) {
    let values = request.values("Authorization")
    guard
      values.count == 1,
      AccountRequest.isSigned(values[0], by: account, at: now, domain: vault.pinned.domain)
    else {
      throw Problem(
        .notSigned, "the account's owner has not signed the request, or its time has passed",
        remedy: "Sign Account(address account,uint256 validBefore) in the vault's domain, and check the clock")
    }
  }
}
