import BumpClaims
import BumpVault
import BumpVaultAPI
import BumpWallet
import Lab
import Testing
import VaultContract
import VaultTestServer

@testable import BumpVaultClient

/// Whether a received claim is called funded.
@Suite(.processes()) struct FundingTests {
  private let alice: Person
  private let bob: Person

  init() throws { (alice, bob) = (try Person(1), try Person(2)) }

  private func desk() async throws -> InProcessVaultServer { try await .locking(from: alice) }

  /// Asks as the receiver of a claim of these terms does.
  private func state(
    _ desk: InProcessVaultServer, of claim: MadeClaim, leaving margin: ExpiryMargin = .standard
  ) async throws -> FundingState {
    let answer = try await desk.client.run(StatusSession(claim.terms, at: desk.vault))
    return FundingState(answer, leaving: margin, at: desk.scene.clock.now)
  }

  @Test func `a claim is funded while the vault holds it and more than five minutes are left`() async throws {
    let desk = try await desk()
    let claim = try desk.scene.claim(1)
    #expect(try await state(desk, of: claim) == .funded)
    desk.scene.clock.set(claim.terms.expiry.unixSeconds - 301)
    #expect(try await state(desk, of: claim) == .funded)
    desk.scene.clock.advance(by: 1)
    #expect(try await state(desk, of: claim) == .expiring)
    #expect(try await state(desk, of: claim, leaving: ExpiryMargin(seconds: 299)) == .funded)
    desk.scene.clock.set(claim.terms.expiry.unixSeconds - 1)
    #expect(try await state(desk, of: claim, leaving: ExpiryMargin(seconds: 0)) == .funded)
    desk.scene.clock.advance(by: 1)
    #expect(try await state(desk, of: claim, leaving: ExpiryMargin(seconds: 0)) == .expiring)
  }

  @Test func `a claim of which the vault knows nothing, or a draft alone, is not funded`() async throws {
    let desk = try await InProcessVaultServer()
    let claim = try desk.scene.claim(1)
    #expect(try await state(desk, of: claim) == .notFunded)
    _ = try await desk.scene.vault.draft(claim.id, claim.terms)
    #expect(try await state(desk, of: claim) == .notFunded)
  }

  @Test func `a claim is not funded where amount, token, expiry or secret are others at the vault`() async throws {
    let desk = try await desk()
    let claim = try desk.scene.claim(1)
    let terms = claim.terms
    let others = [
      ClaimTerms(
        secretHash: terms.secretHash, token: terms.token, amount: try Amount("2.00"), expiry: terms.expiry),
      ClaimTerms(
        secretHash: terms.secretHash, token: desk.vault.vault.address, amount: terms.amount, expiry: terms.expiry),
      ClaimTerms(
        secretHash: terms.secretHash, token: terms.token, amount: terms.amount,
        expiry: Expiry(clamping: terms.expiry.unixSeconds + 60)),
      ClaimTerms(
        secretHash: try desk.scene.claim(2).terms.secretHash, token: terms.token, amount: terms.amount,
        expiry: terms.expiry),
    ]
    for other in others {
      var wanted = claim
      wanted.terms = other
      guard case .notFunded = try await state(desk, of: wanted) else { return record("\(other)") }
    }
  }

  @Test func `a claim that is final is not funded, and it is said whom it was paid to`() async throws {
    let desk = try await desk()
    let claim = try desk.scene.claim(1)
    try await desk.scene.take(claim, for: bob)
    guard case .claimed(let answer) = try await state(desk, of: claim) else { return record("not claimed") }
    #expect(answer.receiver == bob.address)
    let other = try desk.scene.claim(2)
    _ = try await desk.scene.lock(other, from: alice)
    desk.scene.clock.set(other.terms.expiry.unixSeconds)
    guard case .refunded = try await desk.client.run(RefundSession(other.terms, at: desk.vault)) else {
      return record("not refunded")
    }
    guard case .refunded = try await state(desk, of: other) else { return record("not refunded") }
  }

  @Test func `a vault that is another, or fails, says nothing of a claim`() async throws {
    let desk = try await desk()
    let claim = try desk.scene.claim(1)
    let elsewhere = try Scene.identity(seed: 2).trusted
    let changed = FundingState(
      try await desk.client.run(StatusSession(claim.terms, at: elsewhere)), leaving: .standard, at: 0)
    guard case .unknown(let failure) = changed else { return record("\(changed)") }
    #expect(failure.code == .changed)
    desk.forge("/api/claims/\(claim.terms.ledgerID)") { _ in .answer(status: 429, body: Array("{}".utf8)) }
    guard case .unknown = try await state(desk, of: claim) else { return record("believed") }
    desk.forge("/api/claims/\(claim.terms.ledgerID)") { _ in .lost("cut") }
    guard case .unknown = try await state(desk, of: claim) else { return record("believed") }
  }

  @Test func `a margin is said in minutes or seconds`() {
    #expect(
      [300, 60, 90, 1, 0].map { ExpiryMargin(seconds: $0).description } == [
        "5 minutes", "1 minute", "90 seconds", "1 second", "0 seconds",
      ])
  }
}
