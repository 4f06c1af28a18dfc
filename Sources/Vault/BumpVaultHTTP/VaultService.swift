public import BumpVault
import BumpVaultAPI
import BumpWallet
import Crypto
import Glibc

/// Answers HTTP requests to a vault: a function from a request and the time to an answer, without sockets.
public struct VaultService: Sendable {
  let vault: any VaultBackend
  let settings: VaultSettings
  let challenges: any ChallengeLog
  let issuer: ChallengeIssuer
  /// Limits a network's counted requests (`limiter`), and all its requests (`ceiling`).
  let limiter: RequestGate
  let ceiling: RequestGate
  /// Limits the codes for which a network asks.
  let codes: RequestGate
  /// Signs people in; `nil` where that is off.
  let signIn: SignInDesk?
  let pages = Pages.embedded
  /// The streams that wait for events. The server must call `moved` for claims that changed in other processes, and
  /// `tick` each second.
  public let watchers: ClaimWatchers
  /// Returns the time in milliseconds since 1970.
  let clock: @Sendable () -> Int64
  let report: @Sendable (VaultStoreError) -> Void

  /// Answers for the vault that holds the money in a store. The parameters are those of the other initializer.
  ///
  /// - Parameter store: the vault's own store.
  public init(
    _ vault: Vault, on store: any VaultStore, _ settings: VaultSettings, challenges: any ChallengeLog,
    requests: (any RequestLedger)? = nil, signIn: SignInDesk? = nil, clock: @escaping @Sendable () -> Int64,
    uptime: @escaping @Sendable () -> Int64 = VaultService.uptime,
    report: @escaping @Sendable (VaultStoreError) -> Void = { _ in }
  ) {
    self.init(
      EmbeddedVault(vault, on: store), settings, challenges: challenges, requests: requests, signIn: signIn,
      clock: clock, uptime: uptime, report: report)
  }

  /// - Parameters:
  ///   - challenges: the log of used challenges, one for all servers of a vault.
  ///   - requests: counts the requests of all servers of a vault together; `nil` if this is the only one.
  ///   - signIn: signs people in; `nil` for a server that does not.
  ///   - clock: returns the time in milliseconds since 1970. It is for challenges, heartbeats and the signatures of
  ///     account requests. The store's clock decides about claims.
  ///   - uptime: returns the milliseconds of a clock that is never set. It is for the limits of requests.
  ///   - report: receives failures of the store, for the operator.
  public init(
    _ vault: some VaultBackend, _ settings: VaultSettings, challenges: any ChallengeLog,
    requests: (any RequestLedger)? = nil, signIn: SignInDesk? = nil, clock: @escaping @Sendable () -> Int64,
    uptime: @escaping @Sendable () -> Int64 = VaultService.uptime,
    report: @escaping @Sendable (VaultStoreError) -> Void = { _ in }
  ) {
    (self.settings, self.challenges, self.signIn) = (settings, challenges, signIn)
    (self.clock, self.report) = (clock, report)
    // All servers of a vault have its key, so they accept each other's challenges.
    let key = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: vault.receiptKey.exposed), info: Array("bump/1 challenge key".utf8),
      outputByteCount: 32)
    issuer = ChallengeIssuer(key: key, maximumNumber: settings.challengeNumber)
    limiter = RequestGate(
      perMinute: settings.requestsPerMinute, kind: 1, ledger: requests, uptime: uptime, report: report)
    ceiling = RequestGate(
      perMinute: settings.requestsPerMinute * 10, kind: 10, ledger: requests, uptime: uptime, report: report)
    codes = RequestGate(
      perMinute: settings.signInsPerMinute, kind: 2, ledger: requests, uptime: uptime, report: report)
    let watchers = ClaimWatchers(limit: settings.streams, perNetwork: settings.streamsPerNetwork)
    // Only a change wakes watchers: a repeat, which anybody may send, wakes nobody.
    (self.watchers, self.vault) = (watchers, vault.notifying { watchers.moved([$0]) })
  }

  /// The URL at which the vault is to be found, which it signs.
  public var origin: VaultOrigin { settings.origin }

  /// The time in seconds since 1970.
  var now: Int64 { clock() / 1000 }

  /// Returns the milliseconds since this machine was started.
  @Sendable public static func uptime() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_BOOTTIME, &now)
    return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
  }

  /// Answers a request.
  public func answer(_ request: VaultRequest) async -> VaultResponse {
    let reading = BodyReading(request)
    var response: VaultResponse
    var route: Route?
    do {
      try request.checkHost(at: settings.origin.url, behind: settings.proxies)
      let client = settings.proxies.client(of: request, at: settings.origin.url)
      let parts = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      let found = Result { () throws(Problem) in try Route(path: parts.first ?? "") }
      route = try? found.get()
      try await count(route, request.method, client)
      let route = try found.get()
      if route == .faucet, !settings.hasFaucet { throw Route.notFound }
      if case .signIn = route, signIn == nil { throw Route.notFound }
      if route == .association, settings.association == nil { throw Route.notFound }
      response = try await answer(route, parts.count > 1 ? parts[1] : "", request, client, reading)
    } catch let problem as Problem {
      response = VaultResponse(problem, headers: Self.headers(of: problem, route))
    } catch let error as RequestError {
      response = VaultResponse(Problem(error))
    } catch let refusal as VaultRefusal {
      response = VaultResponse(Problem(refusal, at: now))
    } catch let error as VaultStoreError {
      report(error)
      response = VaultResponse(Problem(error))
    } catch {
      report(VaultStoreError(.failed, "the server failed: \(type(of: error))"))
      response = VaultResponse(Problem(.internalError, "the vault failed", remedy: "Tell the vault's operator"))
    }
    if request.method == Route.Method.head.rawValue { response = response.withoutBody() }
    response.route = route?.name
    response.closesConnection = !reading.isComplete
    return response
  }

  private func answer(
    _ route: Route, _ query: Substring, _ request: VaultRequest, _ client: Client, _ reading: BodyReading
  ) async throws -> VaultResponse {
    guard route.serves(request.method) else {
      guard request.method == Route.Method.options.rawValue else {
        throw Problem(.methodNotAllowed, "this path takes \(route.allowed)")
      }
      return VaultResponse(204, headers: [.init("Allow", route.allowed)])
    }
    let query = try Query(query, allowing: route.parameters)
    switch route {
    case .claims: return try await draft(DraftRequest(reading.json()), client)
    case .deposit(let id): return try await deposit(id, DepositRequest(reading.json()), client)
    case .payout(let name): return try await pay(name, PayoutRequest(reading.json()), client)
    case .refund(let name):
      _ = try RefundRequest(await reading.optionalJSON())
      return try await refund(name, client)
    case .faucet: return try await mint(FaucetRequest(reading.json()))
    case .claim(let name):
      return try await answer(about: name, client) { id in
        let view = try await vault.view(id, askedBy: name)
        if view.status == .none { try await admit(client, by: limiter) }
        return VaultResponse(.claim(view))
      }
    case .events(let name): return try await events(name, client)
    case .account(let address):
      try checkOwner(of: address, request)
      return VaultResponse(.balances(of: address, try await vault.balances(of: address)))
    case .history(let address):
      let (before, limit) = (try query.number("before"), Int(min(try query.number("limit") ?? 50, 200)))
      try checkOwner(of: address, request)
      let entries = try await vault.history(of: address, before: before, limit: limit)
      return VaultResponse(.history(of: address, entries, limit: limit))
    case .vault:
      let nonce = try query.nonce()
      // A payout begins with this request, so it has the payout's limit: the ceiling.
      return VaultResponse(
        .vault(
          vault.pinned.vault, vault.limits, chain: vault.chain, version: settings.version,
          asksForChallenge: !client.isLocal, hasFaucet: settings.hasFaucet, signIn: signIn?.json,
          proof: try nonce.map(proof)))
    case .challenge:
      var generator = SystemRandomNumberGenerator()
      return VaultResponse(.challenge(issuer.challenge(at: now, using: &generator)))
    case .openAPI:
      return VaultResponse(
        200, headers: [.init("Content-Type", "application/json")],
        body: .bytes(
          Array(
            OpenAPI.document(
              version: settings.version, hasFaucet: settings.hasFaucet, hasSignIn: signIn != nil
            ).utf8)))
    case .health: return VaultResponse(.healthy)
    case .readiness:
      return VaultResponse(.ready(at: try await vault.readiness()))
    case .signIn(let route): return try await answer(route, request, client, reading)
    case .claimPage: return document(.claim, request)
    case .sentPage: return document(.sent, request)
    case .walletPage: return document(.wallet, request)
    case .manifest: return manifest(request)
    case .asset(let hash, let name): return try asset(name, hash: hash, request)
    case .icon: return icon(request)
    case .association: return try association(request)
    }
  }

  /// Returns the proof of who this vault is. The origin is its own, whatever the request says.
  private func proof(for nonce: Bytes32) throws(Problem) -> IdentityProof {
    guard let origin = settings.origin.url else {
      throw Problem(.unavailable, "the vault has only begun to listen", remedy: "Ask again", retryAfter: 1)
    }
    return IdentityProof(
      vault.pinned.vault, hasFaucet: settings.hasFaucet, at: origin, nonce: nonce, by: vault.receiptKey)
  }

  /// Returns the headers that a kind of problem requires.
  private static func headers(of problem: Problem, _ route: Route?) -> [Answer.Header] {
    switch problem.kind {
    case .methodNotAllowed: route.map { [.init("Allow", $0.allowed)] } ?? []
    case .notSigned: [.init("WWW-Authenticate", AccountRequest.scheme)]
    case .notSignedIn: [.init("WWW-Authenticate", "Cookie")]
    case .unsupportedMediaType: [.init("Accept", "application/json")]
    default: []
    }
  }
}

/// The body of one request, which is read at most once.
final class BodyReading {
  private let request: VaultRequest
  /// Whether the body was read to its end, or the request has none.
  private(set) var isComplete: Bool

  init(_ request: VaultRequest) {
    self.request = request
    isComplete =
      request.values("Content-Length").allSatisfy { $0 == "0" } && request.values("Transfer-Encoding").isEmpty
  }

  /// Reads a body that must be JSON.
  func json() async throws -> [UInt8] {
    try checkType()
    return try await read()
  }

  /// Reads a body that may be missing.
  func optionalJSON() async throws -> [UInt8] {
    let body = try await read()
    if !body.isEmpty { try checkType() }
    return body
  }

  private func checkType() throws(Problem) {
    let types = request.values("Content-Type")
    let codings = request.values("Content-Encoding")
    guard
      // The usual value is compared first: making and matching an expression takes some 200 µs.
      types.count == 1,
      types[0] == "application/json"
        || types[0].wholeMatch(of: /(?i)\s*application\/json\s*(;\s*charset="?utf-8"?\s*)?/) != nil,
      codings.allSatisfy({ $0.lowercased() == "identity" })
    else {
      throw Problem(
        .unsupportedMediaType, "the body is not sent as JSON",
        remedy: "Send the header Content-Type: application/json, and no Content-Encoding")
    }
  }

  private func read() async throws(Problem) -> [UInt8] {
    do {
      let body = try await request.body()
      isComplete = true
      return body
    } catch {
      switch error {
      case .tooLarge:
        throw Problem(
          .tooLarge, "the body has more than \(VaultRequest.maximumBody) bytes",
          remedy: "Send only the fields that the API has")
      case .timedOut:
        throw Problem(.requestTimeout, "the body of the request did not come in time", remedy: "Send it again")
      case .incomplete: throw Problem(.malformed, "the body of the request ended too early")
      }
    }
  }
}
