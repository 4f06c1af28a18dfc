import BumpClaims
import BumpVault
import BumpVaultHTTP
import BumpWallet
import Testing
import VaultContract

@testable import BumpVaultAPI

/// Problem details (RFC 9457), held against the contract's table.
struct ProblemTests {
  private func scene(_ limits: VaultLimits = VaultLimits()) async throws -> Scene {
    try await Scene(StoreMaker { InMemoryVaultStore($0, clock: $1) }, limits: limits)
  }

  private func refusal(_ body: () async throws -> some Sendable) async throws -> VaultRefusal {
    try #require(await #expect(throws: VaultRefusal.self) { _ = try await body() })
  }

  private func names(_ answer: Answer) -> [String] {
    if case .object(let members) = answer.body { members.map(\.name) } else { [] }
  }

  /// The statuses that the contract has, and those that follow from it.
  @Test(arguments: [
    ("unknown-claim", 404), ("id-taken", 409), ("unknown-token", 422), ("over-cap", 422), ("bad-expiry", 422),
    ("bad-signature", 422), ("not-authorized", 403), ("authorization-expired", 410), ("insufficient-funds", 409),
    ("too-many-pending", 429), ("too-many-deposits", 429), ("bad-receiver", 422), ("not-deposited", 409),
    ("wrong-secret", 403), ("already-claimed", 409), ("expired", 410), ("not-expired", 409),
    ("supply-exhausted", 409), ("busy", 503),
  ])
  func `each refusal has its own kind and status`(name: String, status: Int) throws {
    let kind = try #require(Problem.Kind.refusals.first { $0.name == name })
    #expect(kind.status == status && kind.type == "/problems/\(name)")
  }

  /// All codes that the vault has: one that is new and forgotten here would be answered as a failure of the vault.
  @Test func `no refusal is answered as a failure of the vault`() {
    let codes: [VaultRefusal.Code] = [
      .unknownClaim, .idTaken, .unknownToken, .overCap, .badExpiry, .badSignature, .notAuthorized,
      .authorizationExpired, .insufficientFunds, .tooManyPending, .tooManyDeposits, .badReceiver, .notDeposited,
      .wrongSecret, .alreadyClaimed, .expired, .notExpired, .supplyExhausted, .busy,
    ]
    #expect(Set(codes.map(\.description)) == Set(Problem.Kind.refusals.map(\.name)))
  }

  @Test func `a problem says type, title, status, detail and what to do, as its media type`() async throws {
    let scene = try await scene()
    let refusal = try await refusal { try await scene.vault.view(.claimID(scene.claim(1).id)) }
    let answer = Problem(refusal, at: scene.clock.now).answer
    #expect(answer.status == 404 && answer.header("Content-Type") == "application/problem+json")
    #expect(
      answer.body == [
        "type": "/problems/unknown-claim", "title": "The claim is not known", "status": 404,
        "detail": .string(refusal.reason), "remedy": .string(try #require(refusal.remedy)),
      ])
    #expect(answer.header("Retry-After") == nil)
  }

  @Test func `who comes second is given the receipt of the first`() async throws {
    let scene = try await scene()
    try await scene.mint(1_000_000, to: Person(1))
    let claim = try scene.claim(1)
    try await scene.lock(claim, from: Person(1))
    let receipt = try await scene.take(claim, for: Person(2))
    let answer = Problem(try await refusal { try await scene.take(claim, for: Person(3)) }, at: scene.clock.now).answer
    #expect(answer.status == 409)
    guard case .object(let members) = answer.body else { throw WrongBody() }
    #expect(members.first { $0.name == "type" }?.value == "/problems/already-claimed")
    #expect(members.first { $0.name == "receipt" }?.value == receipt.json)
  }

  @Test func `who comes too early is told when it will be time`() async throws {
    let scene = try await scene(VaultLimits(depositsPerDay: 1))
    try await scene.mint(3_000_000, to: Person(1))
    let claim = try scene.claim(1)
    try await scene.lock(claim, from: Person(1))
    let early = Problem(try await refusal { try await scene.vault.refund(claim.id) }, at: scene.clock.now)
    #expect(early.kind == .notExpired && early.notBefore == claim.terms.expiry.unixSeconds)
    #expect(names(early.answer).contains("notBefore"))

    // The day began eight hours ago.
    let many = Problem(
      try await refusal { try await scene.lock(scene.claim(2), from: Person(1)) }, at: scene.clock.now)
    #expect(many.kind == .tooManyDeposits && many.answer.status == 429)
    #expect(many.answer.header("Retry-After") == "\(16 * 3600)" && many.notBefore == scene.clock.now + 16 * 3600)
  }

  @Test func `too many requests are told when to come again, never at once`() async throws {
    let scene = try await scene(VaultLimits(pending: 1))
    try await scene.mint(3_000_000, to: Person(1))
    try await scene.lock(scene.claim(1), from: Person(1))
    let many = Problem(
      try await refusal { try await scene.lock(scene.claim(2), from: Person(1)) }, at: scene.clock.now)
    #expect(many.kind == .tooManyPending && many.answer.header("Retry-After") == "60")
    #expect(Problem(.tooManyRequests, "slower", retryAfter: 0).answer.header("Retry-After") == "1")
  }

  @Test(
    arguments: [
      (#"{"amount": 1.5}"#, Problem.Kind.float, 400, nil), (#"{"#, .malformed, 400, nil), ("[]", .malformed, 400, nil),
      (#"{"token": 1, "token": 1}"#, .duplicateField, 400, "token"), ("{}", .missingField, 400, "address"),
      (#"{"address": "0x"}"#, .badField, 400, "address"),
      (String(repeating: " ", count: 16 * 1024 + 1), .tooLarge, 413, nil),
    ] as [(String, Problem.Kind, Int, String?)])
  func `a body that is not as it must be is refused by the name of its field`(
    body: String, kind: Problem.Kind, status: Int, field: String?
  ) throws {
    let error = try #require(#expect(throws: RequestError.self) { try FaucetRequest(body.utf8) })
    let problem = Problem(error)
    #expect(problem.kind == kind && problem.answer.status == status && problem.field == field)
    #expect(problem.detail == error.reason && problem.remedy == error.remedy)
  }

  @Test func `an unknown field is refused by its name`() throws {
    let address = try Person(1).address
    let body = #"{"address": "\#(address)", "amount": "1.00", "id": "\#(Bytes32.word(1 as UInt64))", "more": 1}"#
    let error = try #require(#expect(throws: RequestError.self) { try FaucetRequest(body.utf8) })
    #expect(Problem(error).kind == .unknownField && Problem(error).field == "more")
  }

  /// Paths, hosts and databases are in these errors.
  @Test func `what fails in the store is not a client's business`() {
    for (code, kind) in [
      (.failed, .unavailable), (.damaged, .internalError), (.copied, .internalError), (.unusable, .internalError),
    ] as [(VaultStoreError.Code, Problem.Kind)] {
      let problem = Problem(VaultStoreError(code, "the vault's store /var/lib/vault failed", remedy: "Look there"))
      #expect(problem.kind == kind && !problem.answer.body.text.contains("/var/lib"))
      #expect(!problem.answer.body.text.contains("Look there"))
      // A client that lost an answer asks again.
      #expect((problem.answer.header("Retry-After") != nil) == (kind == .unavailable))
    }
  }

  @Test func `each kind has a name, a title and a status of its own`() {
    let all = Problem.Kind.all
    #expect(Set(all.map(\.name)).count == all.count && Set(all.map(\.title)).count == all.count)
    #expect(all.allSatisfy { (400...599).contains($0.status) })
    #expect(all.allSatisfy { $0.name.allSatisfy { $0 == "-" || ("a"..."z").contains($0) } })
  }

  private struct WrongBody: Error {}
}
