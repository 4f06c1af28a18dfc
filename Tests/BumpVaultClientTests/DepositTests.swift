import BumpClaims
import BumpVault
import BumpVaultAPI
import BumpVaultHTTP
import BumpWallet
import Lab
import Synchronization
import Testing
import VaultContract
import VaultTestServer

@testable import BumpVaultClient

/// A deposit, whatever is lost on its way.
@Suite(.processes()) struct DepositTests {
  private let alice: Person
  init() throws { alice = try Person(1) }

  private func session(_ desk: InProcessVaultServer, _ units: Int64 = 1_000_000) throws -> DepositSession {
    let claim = try desk.scene.claim(1, units)
    return DepositSession(claim.id, claim.terms, from: alice.key, at: desk.vault)
  }

  private func expectLocked(_ outcome: DepositOutcome, at location: SourceLocation = #_sourceLocation) {
    guard case .locked(_, .pending) = outcome else {
      Issue.record("\(outcome)", sourceLocation: location)
      return
    }
  }

  @Test func `the amount is locked once the vault has answered this deposit, which was recorded before it was sent`()
    async throws
  {
    let desk = try await InProcessVaultServer()
    try await desk.scene.mint(3_000_000, to: alice)
    let recorded = Mutex<[(String, Int)]>([])
    let outcome = try await desk.client.run(session(desk)) { request in
      recorded.withLock { $0.append((request, desk.requests.count)) }
    }
    expectLocked(outcome)
    #expect(try await desk.scene.balance(alice) == 2_000_000)
    let id = try desk.scene.claim(1).id
    #expect(
      desk.paths == ["GET /api/vault", "POST /api/claims", "POST /api/claims/\(id)/deposit"])
    let (request, count) = try #require(recorded.withLock { $0.first })
    #expect(count == 2 && desk.requests.last?.body == Array(request.utf8))
  }

  @Test func `what could not be recorded is not sent`() async throws {
    struct Full: Error {}
    let desk = try await InProcessVaultServer()
    try await desk.scene.mint(3_000_000, to: alice)
    await #expect(throws: Full.self) { _ = try await desk.client.run(session(desk)) { _ in throw Full() } }
    #expect(desk.requests.count == 2)
    #expect(try await desk.scene.balance(alice) == 3_000_000)
  }

  @Test(arguments: [
    [InProcessVaultServer.Loss.none, .answer], [.answer, .answer, .request, .answer], [.request, .unsent, .request],
  ])
  func `a lost answer is asked for again, and the amount is locked once`(losses: [InProcessVaultServer.Loss])
    async throws
  {
    let desk = try await InProcessVaultServer()
    try await desk.scene.mint(3_000_000, to: alice)
    desk.lose(losses)
    expectLocked(try await desk.client.run(session(desk), within: .seconds(60)))
    #expect(try await desk.scene.balance(alice) == 2_000_000)
    let deposits = desk.requests.filter { $0.path.hasSuffix("/deposit") }
    #expect(Set(deposits).count == 1)
  }

  @Test func `where every answer is lost the amount is perhaps locked, until the authorization ends`() throws {
    let scene = try Scene.identity()
    var session = try recordedSession(scene)
    _ = session.handle(.recorded, at: 1000)
    for _ in 0..<7 {
      guard case .ask = session.handle(.reply(.lost("cut")), at: 1000) else { return record("not asked again") }
    }
    guard case .finish(.perhapsLocked(let until, _)) = session.handle(.reply(.lost("cut")), at: 1000) else {
      return record("not in doubt")
    }
    #expect(until.unixSeconds == 1000 + 120)
  }

  @Test func `where no request was ever sent nothing is locked`() throws {
    var session = try recordedSession(Scene.identity())
    _ = session.handle(.recorded, at: 1000)
    for _ in 0..<7 { _ = session.handle(.reply(.unsent("refused")), at: 1000) }
    guard case .finish(.notLocked(let failure)) = session.handle(.reply(.unsent("refused")), at: 1000) else {
      return record("in doubt")
    }
    #expect(failure.code == .unreachable)
  }

  /// A late request is carried out once its obstacle is gone.
  @Test func `a refusal behind a lost answer leaves it open until the authorization ends, and is certain then`() throws
  {
    for (now, isCertain) in [(1119, false), (1120, true)] as [(Int64, Bool)] {
      var session = try recordedSession(Scene.identity())
      _ = session.handle(.recorded, at: 1000)
      _ = session.handle(.reply(.lost("cut")), at: 1000)
      switch session.handle(.reply(Self.refusal(.insufficientFunds)), at: now) {
      case .finish(.notLocked): #expect(isCertain)
      case .finish(.perhapsLocked): #expect(!isCertain)
      default: Issue.record("no end")
      }
    }
  }

  /// The vault looks at the claim after it has read the request: what it says before tells nothing of the first attempt.
  @Test(arguments: [Problem.Kind.malformed, .tooLarge, .badChallenge, .notFound])
  func `an answer of a vault that did not look at the claim leaves a lost deposit open, however late`(
    kind: Problem.Kind
  ) throws {
    var session = try recordedSession(Scene.identity())
    _ = session.handle(.recorded, at: 1000)
    _ = session.handle(.reply(.lost("cut")), at: 1000)
    guard case .finish(.perhapsLocked) = session.handle(.reply(Self.refusal(kind)), at: 2000) else {
      return record("certain")
    }
  }

  @Test(arguments: [Problem.Kind.requestTimeout, .tooManyRequests])
  func `a deposit that the vault did not read is sent again`(kind: Problem.Kind) throws {
    var session = try recordedSession(Scene.identity())
    guard case .ask(let first, _) = session.handle(.recorded, at: 1000) else { return record("not sent") }
    guard case .ask(let second, let seconds) = session.handle(.reply(Self.refusal(kind)), at: 1000) else {
      return record("not sent again")
    }
    #expect(second == first && seconds > .zero)
  }

  /// As a vault on a chain does, where the transaction is confirmed later.
  @Test func `a deposit that was accepted and not carried out yet is asked for again, and is open until then`() throws {
    let accepted = VaultReply.answer(
      status: 202, body: Array(#"{"status":"pending"}"#.utf8), VaultReply.Context(retryAfter: 3))
    var session = try recordedSession(Scene.identity())
    guard case .ask(let first, _) = session.handle(.recorded, at: 1000) else { return record("not sent") }
    #expect(session.handle(.reply(accepted), at: 1000) == .ask(first, after: .seconds(3)))
    let transaction = Bytes32.word(7)
    let done = VaultReply.answer(
      status: 200, body: Array(#"{"status":"pending","txHash":"\#(transaction)"}"#.utf8))
    var other = session
    #expect(other.handle(.reply(done), at: 1001) == .finish(.locked(transaction: transaction, status: .pending)))
    // A refusal behind it does not say what became of the transaction.
    guard case .finish(.perhapsLocked) = session.handle(.reply(Self.refusal(.insufficientFunds)), at: 1001) else {
      return record("certain")
    }
  }

  /// Whoever is on the way may have passed the deposit on, and say so in the vault's place.
  @Test(arguments: [Problem.Kind.requestTimeout, .tooManyRequests])
  func `that a deposit was never read is the vault's word alone`(kind: Problem.Kind) throws {
    var session = try recordedSession(Scene.identity())
    var step = session.handle(.recorded, at: 1000)
    var count = 0
    while case .ask = step {
      count += 1
      step = session.handle(.reply(Self.refusal(kind)), at: 1000)
    }
    guard case .finish(.refused(let until, let failure)) = step else { return record("certain") }
    #expect(until.unixSeconds == 1120 && failure.problem == kind && count > 1)
  }

  private static func refusal(_ kind: Problem.Kind) -> VaultReply {
    .answer(status: kind.status, body: Problem(kind, "no").answer.body.encoded)
  }

  /// Nobody has signed it: whoever is on the way may have passed the deposit on.
  @Test(arguments: [Problem.Kind.insufficientFunds, .idTaken, .authorizationExpired, .notAuthorized])
  func `a refusal is the vault's word while the authorization holds, and certain once it has ended`(
    kind: Problem.Kind
  ) throws {
    for (now, isCertain) in [(1119, false), (1120, true)] as [(Int64, Bool)] {
      var session = try recordedSession(Scene.identity())
      _ = session.handle(.recorded, at: 1000)
      switch session.handle(.reply(Self.refusal(kind)), at: now) {
      case .finish(.notLocked(let failure)): #expect(isCertain && failure.problem == kind)
      case .finish(.refused(let until, let failure)):
        #expect(!isCertain && until.unixSeconds == 1120 && failure.problem == kind)
      default: Issue.record("no end")
      }
    }
  }

  @Test func `a forged refusal is found out by the same request, even after the authorization has ended`() async throws
  {
    let desk = try await InProcessVaultServer()
    try await desk.scene.mint(3_000_000, to: alice)
    let claim = try desk.scene.claim(1)
    desk.forge("/api/claims/\(claim.id)/deposit") { _ in Self.refusal(.idTaken) }
    let recorded = Mutex("")
    let refused = try await desk.client.run(session(desk)) { request in recorded.withLock { $0 = request } }
    guard case .refused = refused else { return record("\(refused)") }
    desk.forge("/api/claims/\(claim.id)/deposit") { $0 }
    desk.scene.clock.advance(by: 3000)
    let again = try DepositSession(again: recorded.withLock { $0 }, of: claim.id, claim.terms, at: desk.vault)
    expectLocked(try await desk.client.run(again))
    #expect(try await desk.scene.balance(alice) == 2_000_000)
  }

  @Test func `a deposit that somebody else has carried to another id is locked, and is one`() async throws {
    let desk = try await InProcessVaultServer()
    try await desk.scene.mint(3_000_000, to: alice)
    let (claim, theirs) = (try desk.scene.claim(1), try ClaimID("theirs"))
    _ = try await desk.scene.vault.draft(theirs, claim.terms)
    let outcome = try await desk.client.run(session(desk)) { request in
      let deposit = try DepositRequest(Array(request.utf8))
      _ = try await desk.scene.vault.deposit(
        theirs,
        SenderAuthorization(
          sender: deposit.sender, validBefore: deposit.validBefore, bytes: deposit.authorization))
    }
    expectLocked(outcome)
    #expect(try await desk.scene.balance(alice) == 2_000_000)
    let standing = try await desk.client.run(StatusSession(claim.terms, at: desk.vault))
    #expect(try standing.get().status == .pending)
    desk.scene.clock.advance(by: 3600)
    guard case .refunded = try await desk.client.run(RefundSession(claim.terms, at: desk.vault)) else {
      return record("not refunded")
    }
    #expect(try await desk.scene.balance(alice) == 3_000_000)
  }

  @Test func `a deposit that somebody else has carried is found once the vault has forgotten its draft`() async throws {
    let desk = try await InProcessVaultServer()
    try await desk.scene.mint(3_000_000, to: alice)
    let (claim, theirs) = (try desk.scene.claim(1), try ClaimID("theirs"))
    _ = try await desk.scene.vault.draft(theirs, claim.terms)
    let recorded = Mutex("")
    // The draft arrives, and no deposit of hers.
    desk.lose(.none, .request, .request, .request, .request, .request, .request, .request, .request)
    let doubt = try await desk.client.run(session(desk), within: .seconds(60)) { request in
      recorded.withLock { $0 = request }
    }
    guard case .perhapsLocked = doubt else { return record("\(doubt)") }
    let request = recorded.withLock { $0 }
    let deposit = try DepositRequest(Array(request.utf8))
    _ = try await desk.scene.vault.deposit(
      theirs,
      SenderAuthorization(sender: deposit.sender, validBefore: deposit.validBefore, bytes: deposit.authorization))
    desk.scene.clock.advance(by: 1000)
    #expect(try await desk.scene.store.removeDrafts(lifetime: 600) == 1)
    let again = try DepositSession(again: request, of: claim.id, claim.terms, at: desk.vault)
    expectLocked(try await desk.client.run(again))
    #expect(try await desk.scene.balance(alice) == 2_000_000)
  }

  @Test func `the time that is up while a deposit is out leaves it open, and before that nothing is locked`() throws {
    var session = try recordedSession(Scene.identity())
    guard case .finish(.notLocked) = session.handle(.timeUp, at: 1000) else { return record("in doubt") }
    session = try recordedSession(Scene.identity())
    _ = session.handle(.recorded, at: 1000)
    guard case .finish(.perhapsLocked) = session.handle(.timeUp, at: 1000) else { return record("certain") }
  }

  @Test func `an answer that does not say so is no deposit`() throws {
    for body in ["{}", #"{"status":"none","txHash":"0x\#(String(repeating: "0", count: 64))"}"#, "<html>"] {
      var session = try recordedSession(Scene.identity())
      _ = session.handle(.recorded, at: 1000)
      guard
        case .finish(.perhapsLocked(_, let failure)) = session.handle(
          .reply(.answer(status: 200, body: Array(body.utf8))), at: 1000)
      else { return record("believed: \(body)") }
      #expect(failure.code == .untrusted)
    }
  }

  @Test func `a deposit that was in doubt is asked for again with the same request`() async throws {
    let desk = try await InProcessVaultServer()
    try await desk.scene.mint(3_000_000, to: alice)
    let recorded = Mutex("")
    desk.lose(.none, .answer, .answer, .answer, .answer, .answer, .answer, .answer, .answer)
    let doubt = try await desk.client.run(session(desk), within: .seconds(60)) { request in
      recorded.withLock { $0 = request }
    }
    guard case .perhapsLocked = doubt else { return record("\(doubt)") }
    let claim = try desk.scene.claim(1)
    desk.scene.clock.advance(by: 3000)
    let again = try DepositSession(
      again: recorded.withLock { $0 }, of: claim.id, claim.terms, at: desk.vault)
    expectLocked(try await desk.client.run(again))
    #expect(try await desk.scene.balance(alice) == 2_000_000)
  }

  @Test func `a deposit that never arrived is certain not to be locked once its authorization has ended`() async throws
  {
    let desk = try await InProcessVaultServer()
    try await desk.scene.mint(3_000_000, to: alice)
    let recorded = Mutex("")
    desk.lose(.none, .request, .request, .request, .request, .request, .request, .request, .request)
    _ = try await desk.client.run(session(desk), within: .seconds(60)) { request in recorded.withLock { $0 = request } }
    let claim = try desk.scene.claim(1)
    desk.scene.clock.advance(by: 120)
    let again = try DepositSession(again: recorded.withLock { $0 }, of: claim.id, claim.terms, at: desk.vault)
    guard case .notLocked(let failure) = try await desk.client.run(again) else { return record("in doubt") }
    #expect(failure.problem == .authorizationExpired)
    #expect(try await desk.scene.balance(alice) == 3_000_000)
  }

  @Test func `what the vault refuses is not locked, and is said in its words`() async throws {
    let desk = try await InProcessVaultServer()
    guard case .refused(_, let failure) = try await desk.client.run(session(desk)) else { return record("locked") }
    #expect(failure.problem == .insufficientFunds)
    #expect(failure.reason == #"the vault says: "the sender's balance is smaller than the claim's amount""#)
    guard case .notLocked(let over) = try await desk.client.run(session(desk, 100_000_001)) else {
      return record("locked")
    }
    #expect(over.problem == .overCap)
  }

  @Test func `an id that somebody else has occupied is said to be taken, and nothing is locked`() async throws {
    let desk = try await InProcessVaultServer()
    try await desk.scene.mint(3_000_000, to: alice)
    let other = try desk.scene.claim(2)
    _ = try await desk.scene.vault.draft(desk.scene.claim(1).id, other.terms)
    guard case .notLocked(let failure) = try await desk.client.run(session(desk)) else { return record("locked") }
    #expect(failure.problem == .idTaken)
    #expect(try await desk.scene.balance(alice) == 3_000_000)
  }

  @Test func `a challenge is solved where the vault asks for one`() async throws {
    let desk = try await InProcessVaultServer(isLocal: false)
    try await desk.scene.mint(3_000_000, to: alice)
    expectLocked(try await desk.client.run(session(desk), within: .hang))
    #expect(desk.paths[1] == "GET /api/challenge")
  }

  /// An attempt before, which came to nothing, has used the challenge up.
  @Test func `where the vault says that a challenge was used, a new one is solved`() async throws {
    let desk = try await InProcessVaultServer(isLocal: false)
    try await desk.scene.mint(3_000_000, to: alice)
    let drafts = Mutex(0)
    desk.forge("/api/claims") { reply in
      let isFirst = drafts.withLock { count in
        count += 1
        return count == 1
      }
      let problem = Problem(
        .badChallenge, "the challenge was used before", remedy: "send it solved in the field altcha")
      return isFirst ? .answer(status: Problem.Kind.badChallenge.status, body: problem.answer.body.encoded) : reply
    }
    expectLocked(try await desk.client.run(session(desk), within: .hang))
    let (challenge, draft) = ("GET /api/challenge", "POST /api/claims")
    #expect(desk.paths.dropFirst().dropLast() == [challenge, draft, challenge, draft], "\(desk.paths)")
  }

  @Test(arguments: [Problem.Kind.challengeRequired, .badChallenge])
  func `a vault that takes no challenge is asked for three, and its words for programs are not shown`(
    kind: Problem.Kind
  ) async throws {
    let desk = try await InProcessVaultServer(isLocal: false)
    desk.forge("/api/claims") { _ in
      let problem = Problem(kind, "the challenge was used before", remedy: "send it solved in the field altcha")
      return .answer(status: kind.status, body: problem.answer.body.encoded)
    }
    guard case .notLocked(let failure) = try await desk.client.run(session(desk), within: .hang) else {
      return record("locked")
    }
    #expect(desk.paths.count { $0 == "GET /api/challenge" } == 3, "\(desk.paths)")
    #expect(
      failure.description == "the vault asks for a proof of work, and accepted none. Try again later")
    #expect(failure.code == .refused && failure.problem == kind)
  }

  @Test func `a challenge that takes too long is slowness, and no lie of the vault`() async throws {
    let desk = try await InProcessVaultServer(isLocal: false, challengeNumber: .max)
    guard case .notLocked(let failure) = try await desk.client.run(session(desk), within: .seconds(2)) else {
      return record("locked")
    }
    #expect(failure.code == .overdue, "\(failure)")
  }

  @Test func `a vault that changed its domain is signed nothing for`() async throws {
    let desk = try await InProcessVaultServer()
    try await desk.scene.mint(3_000_000, to: alice)
    let other = try Scene.identity(seed: 2)
    let claim = try desk.scene.claim(1)
    let session = DepositSession(claim.id, claim.terms, from: alice.key, at: other.trusted)
    guard case .notLocked(let failure) = try await desk.client.run(session) else { return record("locked") }
    #expect(failure.code == .changed)
    #expect(desk.paths == ["GET /api/vault"])
  }

  @Test func `a vault that drafts another claim is signed nothing for`() async throws {
    let desk = try await InProcessVaultServer()
    try await desk.scene.mint(3_000_000, to: alice)
    let claim = try desk.scene.claim(1)
    let wrong = try desk.scene.claim(2)
    desk.forge("/api/claims") { _ in
      let body: JSONValue = [
        "claimId": .text(claim.id), "ledgerId": .text(wrong.terms.ledgerID), "expiry": 0, "status": "none",
      ]
      return .answer(status: 201, body: body.encoded)
    }
    guard case .notLocked(let failure) = try await desk.client.run(session(desk)) else { return record("locked") }
    #expect(failure.code == .untrusted)
    #expect(desk.requests.count == 2)
  }

  /// A session whose deposit is to be recorded, at 1000 seconds.
  private func recordedSession(_ identity: VaultIdentity) throws -> DepositSession {
    let key = ClaimKey(secret: try ClaimSecret([UInt8](repeating: 1, count: 16)), claimID: try ClaimID("claim"))
    let terms = ClaimTerms(
      secretHash: key.secretHash, token: try identity.vault.contract(of: .usdc), amount: try Amount("1.00"),
      expiry: Expiry(clamping: 6000))
    var session = DepositSession(try ClaimID("claim"), terms, from: alice.key, at: identity.trusted)
    let nonce = Bytes32.word(7)
    _ = session.handle(.begin(nonce: nonce), at: 1000)
    _ = session.handle(.reply(identity.description(for: nonce)), at: 1000)
    let draft = ClaimRecord(claimID: try ClaimID("claim"), terms: terms, state: .draft(since: 1000))
    let step = session.handle(.reply(.answer(status: 201, body: Answer.drafted(draft).body.encoded)), at: 1000)
    guard case .record = step else {
      Issue.record("not recorded: \(step)")
      return session
    }
    return session
  }
}
