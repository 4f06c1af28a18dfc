import BumpClaims
import BumpVault
import BumpVaultAPI
import BumpWallet
import Lab
import Synchronization
import Testing
import VaultContract
import VaultTestServer

@testable import BumpVaultClient

/// Requests that move money, and answers that do not say whether they did.
@Suite(.processes()) struct DoubtTests {
  private let alice: Person
  private let bob: Person

  init() throws { (alice, bob) = (try Person(1), try Person(2)) }

  /// What became of a request that moves money.
  private enum End: Equatable {
    case done, notDone, open
    /// The vault's word, which ends the doubt once the authorization has ended.
    case refused
  }

  private enum Movement: CaseIterable {
    case deposit, payout, refund

    func path(_ desk: InProcessVaultServer) throws -> String {
      let claim = try desk.scene.claim(1)
      return switch self {
      case .deposit: "/api/claims/\(claim.id)/deposit"
      case .payout: "/api/claims/\(claim.terms.ledgerID)/claim"
      case .refund: "/api/claims/\(claim.terms.ledgerID)/refund"
      }
    }
  }

  private func desk(for movement: Movement) async throws -> InProcessVaultServer {
    guard movement == .deposit else { return try await .locking(from: alice) }
    let desk = try await InProcessVaultServer()
    try await desk.scene.mint(3_000_000, to: alice)
    return desk
  }

  private func end(of movement: Movement, at desk: InProcessVaultServer) async throws -> End {
    let claim = try desk.scene.claim(1)
    switch movement {
    case .deposit:
      switch try await desk.client.run(DepositSession(claim.id, claim.terms, from: alice.key, at: desk.vault)) {
      case .locked: return .done
      case .notLocked: return .notDone
      case .refused: return .refused
      case .perhapsLocked: return .open
      }
    case .payout:
      let session = try PayoutSession(
        desk.scene.whole(1), expiry: desk.scene.expiry, to: bob.address, at: desk.vault)
      switch try await desk.client.run(session) {
      case .paid, .alreadyPaid, .paidToAnother: return .done
      case .expired, .notFunded, .notPaid: return .notDone
      case .perhapsPaid: return .open
      }
    case .refund:
      desk.scene.clock.set(claim.terms.expiry.unixSeconds)
      switch try await desk.client.run(RefundSession(claim.terms, at: desk.vault)) {
      case .refunded, .claimed: return .done
      case .tooEarly, .notLocked, .failed: return .notDone
      case .perhapsRefunded: return .open
      }
    }
  }

  @Test(arguments: [500, 502, 503])
  func `a deposit, a claim or a refund that the vault answers with 500 is perhaps made`(status: Int) async throws {
    for movement in Movement.allCases {
      let desk = try await desk(for: movement)
      try desk.forge(movement.path(desk)) { _ in
        .answer(status: status, body: Problem(.internalError, "no").answer.body.encoded)
      }
      #expect(try await end(of: movement, at: desk) == .open, "\(movement)")
    }
  }

  /// Kinds of refusals: none of them is signed.
  private static let kinds: [Problem.Kind] = [
    .tooManyRequests, .requestTimeout, .notFound, .unknownClaim, .wrongSecret, .alreadyClaimed, .notDeposited, .expired,
    .notExpired, .insufficientFunds,
  ]

  @Test(arguments: kinds)
  func `a refusal that anybody on the way can have made leaves it open whether money moved`(kind: Problem.Kind)
    async throws
  {
    for movement in Movement.allCases {
      let desk = try await desk(for: movement)
      // Somebody on the way passes the request on.
      try desk.forge(movement.path(desk)) { _ in
        .answer(
          status: kind.status, body: Problem(kind, "no").answer.body.encoded, VaultReply.Context(isAuthentic: false))
      }
      #expect(try await end(of: movement, at: desk) == .open, "\(movement)")
    }
  }

  @Test(arguments: ["<html>", "{}", #"{"type": "/problems/of-a-gateway", "detail": "no"}"#])
  func `a refusal that is no problem of a vault leaves it open whether money moved`(body: String) async throws {
    for movement in Movement.allCases {
      let desk = try await desk(for: movement)
      try desk.forge(movement.path(desk)) { _ in .answer(status: 403, body: Array(body.utf8)) }
      #expect(try await end(of: movement, at: desk) == .open, "\(movement)")
    }
  }

  @Test func `a receipt ends the doubt, whoever brings it`() async throws {
    for movement in [Movement.payout, .refund] {
      let desk = try await desk(for: movement)
      try desk.forge(movement.path(desk)) { reply in
        guard case .answer(let status, let body, _) = reply else { return reply }
        return .answer(status: status, body: body, VaultReply.Context(isAuthentic: false))
      }
      #expect(try await end(of: movement, at: desk) == .done, "\(movement)")
      // Somebody else's, which comes with a refusal.
      let other = try await self.desk(for: movement)
      try await other.scene.take(other.scene.claim(1), for: Person(3))
      try other.forge(movement.path(other)) { reply in
        guard case .answer(let status, let body, _) = reply else { return reply }
        return .answer(status: status, body: body, VaultReply.Context(isAuthentic: false))
      }
      #expect(try await end(of: movement, at: other) == .done, "\(movement)")
    }
  }

  /// It is carried out, and the vault cannot be reached any more.
  @Test func `an attempt that was not sent does not make an earlier one unsent`() async throws {
    for movement in Movement.allCases {
      let desk = try await desk(for: movement)
      let before: [InProcessVaultServer.Loss] = movement == .deposit ? [.none] : []
      desk.lose(before + [.answer] + [InProcessVaultServer.Loss](repeating: .unsent, count: 8))
      #expect(try await end(of: movement, at: desk) == .open, "\(movement)")
    }
  }

  @Test func `a request of which no attempt was sent is not carried out`() async throws {
    for movement in Movement.allCases {
      let desk = try await desk(for: movement)
      let before: [InProcessVaultServer.Loss] = movement == .deposit ? [.none] : []
      desk.lose(before + [InProcessVaultServer.Loss](repeating: .unsent, count: 8))
      #expect(try await end(of: movement, at: desk) == .notDone, "\(movement)")
    }
  }

  @Test
  func `that a payout was asked for before leaves it open while the vault says nothing, or that nothing is locked`()
    async throws
  {
    for reply in [
      VaultReply.unsent("nobody is there"),
      .answer(status: 404, body: Problem(.unknownClaim, "no").answer.body.encoded),
    ] {
      let desk = try await desk(for: .payout)
      try desk.forge("/api/claims/\(desk.scene.claim(1).terms.ledgerID)") { _ in reply }
      let session = try PayoutSession(
        desk.scene.whole(1), expiry: desk.scene.expiry, to: bob.address, at: desk.vault, wasAsked: true)
      guard case .perhapsPaid = try await desk.client.run(session) else { return record("certain") }
    }
  }

  @Test func `a refund whose answer cannot be believed, or is late, is perhaps made`() async throws {
    for body in ["{}", "<html>", #"{"status": "refunded"}"#] {
      let desk = try await desk(for: .refund)
      try desk.forge(Movement.refund.path(desk)) { _ in .answer(status: 200, body: Array(body.utf8)) }
      #expect(try await end(of: .refund, at: desk) == .open, "\(body)")
    }
    let scene = try await Scene(StoreMaker { InMemoryVaultStore($0, clock: $1) })
    var session = RefundSession(try scene.claim(1).terms, at: scene.identity.trusted)
    let nonce = Bytes32.word(7 as UInt64)
    _ = session.handle(.begin(nonce: nonce), at: 1000)
    var early = session
    guard case .finish(.failed) = early.handle(.timeUp, at: 1000) else { return record("open before it was sent") }
    _ = session.handle(.reply(scene.identity.description(for: nonce)), at: 1000)
    guard case .finish(.perhapsRefunded) = session.handle(.timeUp, at: 1000) else { return record("certain") }
  }

  @Test func `a vault's words are quoted, cut, and made harmless`() throws {
    let words = "\u{1B}[31mno\nbump: paid \"" + String(repeating: "x", count: 3000)
    let answer = try ProblemResponse(
      Problem(.wrongSecret, words, remedy: words).answer.body.encoded, in: Scene.identity().vault.domain)
    let failure = VaultFailure(answer)
    for (text, beginning) in [(failure.reason, "the vault says: \""), (failure.remedy ?? "", "The vault advises: \"")] {
      #expect(text.hasPrefix(beginning + #"\u{1b}[31mno\u{a}bump: paid \u{22}xx"#) && text.hasSuffix("x…\""), "\(text)")
      #expect(text.count <= beginning.count + 201)
    }
  }
}
