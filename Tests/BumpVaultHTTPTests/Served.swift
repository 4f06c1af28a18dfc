import BumpClaims
import BumpVault
import BumpVaultAPI
import BumpWallet
import Synchronization
import Testing
import VaultContract

@testable import BumpVaultHTTP

/// A vault in memory and its service, with one clock that is set by hand.
struct Served {
  let scene: Scene
  let service: VaultService
  let failures = Failures()

  init(
    limits: VaultLimits = VaultLimits(), challenges: any ChallengeLog = ProcessChallengeLog(),
    over store: (any VaultStore)? = nil, _ change: (inout VaultSettings) -> Void = { _ in }
  ) async throws {
    let scene = try await Scene(StoreMaker { InMemoryVaultStore($0, clock: $1) }, limits: limits)
    self.init(scene, challenges: challenges, over: store, change)
  }

  /// - Parameter signIn: signs people in.
  init(
    _ scene: Scene, challenges: any ChallengeLog = ProcessChallengeLog(), over store: (any VaultStore)? = nil,
    signIn: SignInDesk? = nil, _ change: (inout VaultSettings) -> Void = { _ in }
  ) {
    self.scene = scene
    var settings = VaultSettings(version: "1.2.3")
    settings.challengeNumber = 50
    settings.origin.set(VaultURL("http://127.0.0.1:8642"))
    change(&settings)
    service = VaultService(
      scene.vault, on: store ?? scene.store, settings, challenges: challenges, signIn: signIn,
      clock: { [clock = scene.clock] in clock.now * 1000 }, uptime: { [clock = scene.clock] in clock.now * 1000 },
      report: { [failures] in failures.add($0) })
  }

  /// Another server of the same vault. Its uptime stands still.
  func other(challenges: any ChallengeLog, requests: (any RequestLedger)? = nil) -> VaultService {
    VaultService(
      scene.vault, on: scene.store, service.settings, challenges: challenges, requests: requests,
      clock: { [clock = scene.clock] in clock.now * 1000 }, uptime: { 0 })
  }

  static let home = "127.0.0.1"
  static let away = "192.0.2.1"
  /// Names the vault's own URL, as it is unless a test changes it.
  static let host = VaultRequest.Header("Host", "127.0.0.1:8642")

  /// - Parameter host: the header `Host`; `nil` for none besides `headers`.
  @discardableResult func ask(
    _ method: String, _ target: String, _ body: String? = nil, from peer: String = home, isTLS: Bool = false,
    _ headers: [VaultRequest.Header] = [], host: VaultRequest.Header? = host, at service: VaultService? = nil
  ) async throws -> VaultResponse {
    let bytes = Array((body ?? "").utf8)
    var headers = (host.map { [$0] } ?? []) + headers
    if !bytes.isEmpty {
      headers.append(.init("content-length", String(bytes.count)))
      if !headers.contains(where: { $0.name == "Content-Type" }) {
        headers.append(.init("Content-Type", "application/json"))
      }
    }
    return await (service ?? self.service).answer(
      VaultRequest(
        method, target, headers: headers, from: try #require(ClientAddress(peer)), isTLS: isTLS,
        body: { () throws(BodyError) in bytes }))
  }

  /// Without a body.
  func ask(_ method: String, _ target: String, _ headers: [VaultRequest.Header]) async throws -> VaultResponse {
    try await ask(method, target, nil, headers)
  }

  /// The body of a draft of a claim.
  func draft(_ claim: MadeClaim, altcha: SolvedChallenge? = nil) -> String {
    DraftRequest(
      .init(claimID: claim.id, secretHash: claim.terms.secretHash), token: claim.terms.token,
      amount: claim.terms.amount, expiry: claim.terms.expiry, solution: altcha
    ).json.text
  }

  func deposit(_ claim: MadeClaim, from sender: Person) throws -> String {
    let word = try scene.authorization(of: claim, from: sender)
    return DepositRequest(sender: word.sender, authorization: word.bytes, validBefore: word.validBefore).json.text
  }

  func payout(_ claim: MadeClaim, to receiver: Person) throws -> String {
    PayoutRequest(receiver: receiver.address, .proof(try scene.proof(of: claim, for: receiver))).json.text
  }

  func authorization(of person: Person, lasting seconds: Int64 = 300) -> VaultRequest.Header {
    let request = AccountRequest(
      account: person.address, validBefore: scene.clock.now + seconds, domain: scene.identity.vault.domain)
    return .init("Authorization", request.authorization(by: person.key))
  }

  /// A challenge, solved.
  func solved(from peer: String = away, at service: VaultService? = nil) async throws -> SolvedChallenge {
    let response = try await ask("GET", "/api/challenge", from: peer, at: service)
    return try #require(try await Challenge(response.bytes).solved())
  }
}

/// What a service reported.
final class Failures: Sendable {
  private let errors = Mutex<[VaultStoreError]>([])
  func add(_ error: VaultStoreError) { errors.withLock { $0.append(error) } }
  var all: [VaultStoreError] { errors.withLock { $0 } }
}

extension VaultResponse {
  var bytes: [UInt8] { if case .bytes(let bytes) = body { bytes } else { [] } }
  var text: String { String(decoding: bytes, as: UTF8.self) }
  /// The text of a payment's answer without the word whether it was made now.
  var receipt: String { text.replacing(/,"made":"[a-z]+"/, with: "") }

  /// The value of a string or integer member of the body's outermost object; `nil` where there is none.
  func member(_ name: String) -> String? {
    guard let start = text.firstRange(of: "\"\(name)\":")?.upperBound else { return nil }
    if let string = text[start...].prefixMatch(of: /"([^"]*)"/) { return String(string.1) }
    return text[start...].prefixMatch(of: /-?[0-9]+|true|false/).map { String($0.0) }
  }
}

func expectProblem(
  _ response: VaultResponse, _ kind: Problem.Kind, at location: SourceLocation = #_sourceLocation
) {
  #expect(response.problem == kind.name && response.status == kind.status, "\(response.text)", sourceLocation: location)
  #expect(response.header("Content-Type") == "application/problem+json", sourceLocation: location)
  #expect(response.member("type") == kind.type, sourceLocation: location)
}
