package import BumpClaims
package import BumpVault
package import BumpVaultAPI
package import BumpVaultClient
package import BumpVaultHTTP
package import BumpWallet
import Synchronization
package import Testing
package import VaultContract

/// A vault's server as its clients meet it, without a socket. What lies between may lose requests and answers, and change
/// them.
package final class InProcessVaultServer: VaultTransport {
  /// Where every such server is to be found.
  package static let url: VaultURL = {
    guard let url = VaultURL("http://127.0.0.1:8642") else { preconditionFailure("it is a URL") }
    return url
  }()

  package enum Loss: Sendable { case none, request, answer, unsent }

  package let scene: Scene
  package let service: VaultService
  /// Whom the server takes the clients for: the vault asks others than its own machine for a solved challenge.
  private let peer: ClientAddress
  private let seen = Mutex<[BumpVaultClient.VaultRequest]>([])
  private let losses = Mutex<[Loss]>([])
  private let forgeries = Mutex<[String: @Sendable (VaultReply) -> VaultReply]>([:])

  /// A vault where somebody had 3.00 and has locked the first claim.
  package static func locking(from sender: VaultContract.Person) async throws -> InProcessVaultServer {
    let desk = try await InProcessVaultServer()
    try await desk.scene.mint(3_000_000, to: sender)
    _ = try await desk.scene.lock(desk.scene.claim(1), from: sender)
    return desk
  }

  /// A vault with another key and the same tokens, as one that was made from a copy of the store.
  package convenience init(copying desk: InProcessVaultServer) async throws {
    let identity = try desk.scene.identity.copied()
    try await self.init(Scene(StoreMaker { InMemoryVaultStore(identity, clock: $1) }), isLocal: true, 100)
  }

  package convenience init(isLocal: Bool = true, challengeNumber: Int64 = 100) async throws {
    try await self.init(Scene(StoreMaker { InMemoryVaultStore($0, clock: $1) }), isLocal: isLocal, challengeNumber)
  }

  private init(_ scene: Scene, isLocal: Bool, _ challengeNumber: Int64) throws {
    self.scene = scene
    peer = try #require(ClientAddress(isLocal ? "127.0.0.1" : "192.0.2.1"))
    var settings = VaultSettings(version: "1")
    settings.challengeNumber = challengeNumber
    settings.hasFaucet = true
    settings.origin.set(Self.url)
    service = VaultService(
      scene.vault, on: scene.store, settings, challenges: ProcessChallengeLog(),
      clock: { [clock = scene.clock] in clock.now * 1000 })
  }

  /// The vault as somebody has confirmed it.
  package var vault: TrustedVault { scene.identity.trusted }
  package var client: VaultClient {
    VaultClient(self, now: { [clock = scene.clock] in clock.now }, pause: { _ in })
  }
  /// The requests that were sent, whatever became of them.
  package var requests: [BumpVaultClient.VaultRequest] { seen.withLock { $0 } }
  /// The methods and paths of the requests, without what is drawn for each: the nonce.
  package var paths: [String] { requests.map { "\($0.method.rawValue) \($0.named)" } }

  /// Changes the URL at which the vault says that it is to be found.
  package func setOrigin(_ url: VaultURL?) { service.origin.set(url) }

  /// What becomes of the next requests that change something; afterwards nothing is lost.
  package func lose(_ next: Loss...) { lose(next) }
  package func lose(_ next: [Loss]) { losses.withLock { $0 = next } }

  /// Has something take the place of the answers to a path.
  package func forge(_ path: String, _ forgery: @escaping @Sendable (VaultReply) -> VaultReply) {
    forgeries.withLock { $0[path] = forgery }
  }

  /// Tells those who wait for a claim's events that it has moved.
  package func moved(_ claim: ClaimID) { service.watchers.moved([claim]) }

  package func send(_ request: BumpVaultClient.VaultRequest, within limit: Duration) async -> VaultReply {
    seen.withLock { $0.append(request) }
    let loss = request.method == .post ? losses.withLock { $0.isEmpty ? .none : $0.removeFirst() } : .none
    if loss == .unsent { return .unsent("nobody is there") }
    if loss == .request { return .lost("the connection was closed") }
    let reply = await answer(request)
    return loss == .answer
      ? .lost("the connection was closed") : forgeries.withLock { $0[request.named] }?(reply) ?? reply
  }

  package func listen(
    to request: BumpVaultClient.VaultRequest, _ take: @escaping @Sendable ([UInt8]) -> Bool
  ) async {
    struct Closed: Error {}
    guard case .events(let events) = await response(to: request).body else { return }
    try? await events.run { bytes in if !take(bytes) { throw Closed() } }
  }

  private func response(to request: BumpVaultClient.VaultRequest) async -> VaultResponse {
    var headers: [BumpVaultHTTP.VaultRequest.Header] = [.init("Host", "127.0.0.1:8642")]
    if let body = request.body {
      headers += [.init("Content-Type", "application/json"), .init("Content-Length", "\(body.count)")]
    }
    if let authorization = request.authorization { headers.append(.init("Authorization", authorization)) }
    return await service.answer(
      BumpVaultHTTP.VaultRequest(request.method.rawValue, request.path, headers: headers, from: peer) {
        () throws(BodyError) in request.body ?? []
      })
  }

  private func answer(_ request: BumpVaultClient.VaultRequest) async -> VaultReply {
    let response = await response(to: request)
    guard case .bytes(let body) = response.body else { return .lost("a stream of events") }
    return .answer(
      status: response.status, body: body,
      VaultReply.Context(retryAfter: response.header("Retry-After").flatMap { Int64($0) }))
  }
}

extension BumpVaultClient.VaultRequest {
  /// The first request of a session, where its nonce does not matter.
  package static let vault = vault(nonce: .word(1 as UInt64))

  /// The path, without a nonce.
  package var named: String { path.replacing(/\?nonce=.*/, with: "") }
}

extension TrustedVault {
  package var vault: VaultDescription { pinned.vault }
  package var domain: Domain { pinned.domain }
}

extension VaultIdentity {
  /// The vault at the origin of every such server, as somebody has confirmed it: one that makes test money.
  package var trusted: TrustedVault { TrustedVault(vault, hasFaucet: true, at: InProcessVaultServer.url) }

  /// Its answer to the first request of a session, with its proof.
  package func description(
    for nonce: Bytes32, hasFaucet: Bool = true
  ) -> VaultReply {
    let proof = IdentityProof(vault.vault, hasFaucet: hasFaucet, at: trusted.url, nonce: nonce, by: key)
    return .answer(
      status: 200,
      body: Answer.vault(
        vault.vault, VaultLimits(), version: "1", asksForChallenge: false, hasFaucet: hasFaucet, proof: proof
      ).body.encoded)
  }
}

extension Scene {
  /// A claim as its sender has it, with the secret.
  package func whole(_ number: UInt64, _ units: Int64 = 1_000_000) throws -> Claim {
    Claim(
      id: try claim(number, units).id, secret: try ClaimSecret(Self.secret(number)), token: .usdc,
      amount: try amount(units))
  }

  package var expiry: Expiry { Expiry(clamping: clock.now + 3600) }
}

/// Records an issue, as the last thing that a test does.
package func record(_ comment: Comment, at location: SourceLocation = #_sourceLocation) {
  Issue.record(comment, sourceLocation: location)
}
