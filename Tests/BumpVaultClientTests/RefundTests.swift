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

/// A refund, and what else a vault is asked.
@Suite(.processes()) struct RefundTests {
  private let alice: Person
  private let bob: Person

  init() throws { (alice, bob) = (try Person(1), try Person(2)) }

  private func desk() async throws -> InProcessVaultServer { try await .locking(from: alice) }

  private func refund(_ desk: InProcessVaultServer, _ claim: MadeClaim) async throws -> RefundOutcome {
    try await desk.client.run(RefundSession(claim.terms, at: desk.vault))
  }

  @Test func `an expired claim is refunded once, whichever answers are lost`() async throws {
    let desk = try await desk()
    let claim = try desk.scene.claim(1)
    desk.scene.clock.advance(by: 3600)
    desk.lose(.answer, .request, .answer)
    guard case .refunded(let receipt) = try await refund(desk, claim) else { return record("not refunded") }
    #expect(receipt.receipt.outcome == .refunded)
    #expect(try await desk.scene.balance(alice) == 3_000_000)
  }

  @Test func `before its expiry a claim is not refunded, and it is said when it will be`() async throws {
    let desk = try await desk()
    let claim = try desk.scene.claim(1)
    guard case .tooEarly(_, let notBefore) = try await refund(desk, claim) else { return record("refunded") }
    #expect(notBefore == claim.terms.expiry.unixSeconds)
  }

  @Test func `what a receiver was paid is not refunded, and their receipt says so`() async throws {
    let desk = try await desk()
    let claim = try desk.scene.claim(1)
    try await desk.scene.take(claim, for: bob)
    desk.scene.clock.advance(by: 3600)
    guard case .claimed(let receipt) = try await refund(desk, claim) else { return record("not said") }
    #expect(receipt.receipt.receiver == bob.address)
  }

  @Test func `where nothing was locked there is nothing to refund`() async throws {
    let desk = try await InProcessVaultServer()
    guard case .notLocked = try await refund(desk, desk.scene.claim(1)) else { return record("refunded") }
  }

  @Test func `where a claim stands is compared with its terms`() async throws {
    let desk = try await desk()
    let claim = try desk.scene.claim(1)
    let answer = try await desk.client.run(StatusSession(claim.terms, at: desk.vault))
    #expect(try answer.get().status == .pending)
    var other = claim
    other.terms = try desk.scene.claim(1, 2_000_000).terms
    let none = try await desk.client.run(StatusSession(other.terms, at: desk.vault))
    guard case .failure(let failure) = none else { return record("believed") }
    #expect(failure.problem == .unknownClaim)
    // Nor is a vault believed that says something of another claim.
    let said = Answer.claim(try await desk.scene.vault.view(.claimID(claim.id))).body.encoded
    desk.forge("/api/claims/\(other.terms.ledgerID)") { _ in .answer(status: 200, body: said) }
    let wrong = try await desk.client.run(StatusSession(other.terms, at: desk.vault))
    #expect(throws: VaultFailure(.untrusted, "")) { try wrong.get() }
  }

  @Test func `balances are shown to the owner of the account`() async throws {
    let desk = try await desk()
    let answer = try await desk.client.run(BalancesSession(of: alice.key, at: desk.vault))
    #expect(try answer.get().balances == [desk.scene.token: desk.scene.amount(2_000_000)])
    // Signed for another vault, it is worth nothing here.
    let elsewhere = try Scene.identity(seed: 2).vault
    let request = VaultRequest.balances(of: alice.address, alice.key.access(to: elsewhere, at: desk.scene.clock.now))
    guard case .answer(401, _, _) = await desk.send(request, within: .seconds(60)) else {
      return record("shown")
    }
  }

  @Test func `balances with a token twice, and a history of another account, are not shown`() async throws {
    let desk = try await desk()
    let row = #"{"token": "\#(try desk.scene.token)", "amount": "1.00"}"#
    for rows in ["\(row), \(row)", row.replacing("1.00", with: "-1.00")] {
      let body = #"{"address": "\#(alice.address)", "balances": [\#(rows)]}"#
      desk.forge("/api/accounts/\(alice.address)") { _ in .answer(status: 200, body: Array(body.utf8)) }
      let shown = try await desk.client.run(BalancesSession(of: alice.key, at: desk.vault))
      #expect(throws: VaultFailure(.untrusted, "")) { try shown.get() }
    }
    for account in [alice, bob] {
      let body = #"{"address": "\#(account.address)", "balances": [], "entries": []}"#
      for path in ["", "/history"] {
        desk.forge("/api/accounts/\(alice.address)\(path)") { _ in .answer(status: 200, body: Array(body.utf8)) }
      }
      let history = try await desk.client.run(AccountHistorySession(of: alice.key, count: 9, at: desk.vault))
      let balances = try await desk.client.run(BalancesSession(of: alice.key, at: desk.vault))
      if account.address == alice.address {
        #expect(try history.get().isEmpty && balances.get().balances.isEmpty)
      } else {
        #expect(throws: VaultFailure(.untrusted, "")) { try history.get() }
        #expect(throws: VaultFailure(.untrusted, "")) { try balances.get() }
      }
    }
  }

  @Test func `a vault introduces itself, unless it names a public chain`() async throws {
    let desk = try await InProcessVaultServer()
    let known = try await desk.client.run(IntroductionSession(at: InProcessVaultServer.url))
    #expect(try known.get().trusted(at: InProcessVaultServer.url) == desk.vault)
    desk.forge("/api/vault") { _ in .lost("the certificate has expired") }
    let unheard = try await desk.client.run(IntroductionSession(at: InProcessVaultServer.url))
    guard case .failure(let failure) = unheard else { return record("believed") }
    #expect(failure.reason == "no answer from the vault: the certificate has expired")
    for chain in [1, 8453, 1_666_600_000, 0x6275_6E00] as [UInt64] {
      let vault = try VaultDescription(
        chainID: chain, address: desk.vault.vault.address, tokens: desk.vault.vault.tokens)
      let body = Answer.vault(vault, VaultLimits(), version: "1", asksForChallenge: false, hasFaucet: false).body
      desk.forge("/api/vault") { _ in .answer(status: 200, body: body.encoded) }
      let refused = try await desk.client.run(IntroductionSession(at: InProcessVaultServer.url))
      #expect(throws: VaultFailure(.changed, "")) { try refused.get() }
    }
  }

  @Test func `events are told once each, up to the last, and those about another claim end the stream`() async throws {
    let desk = try await desk()
    let claim = try desk.scene.claim(1)
    var watch = ClaimWatch(claim.terms)
    func event() async throws -> EventParser.Event {
      var parser = EventParser()
      let view = try await desk.scene.vault.view(.claimID(claim.id))
      return try #require(parser.parse(ServerSentEvents.event(view)).first)
    }
    let pending = try await event()
    guard case .tell(let told) = watch.received(pending) else { return record("not told") }
    #expect(told.status == .pending)
    #expect(watch.received(pending) == .none)
    #expect(watch.ended() == .listen(after: .seconds(1)) && watch.ended() == .listen(after: .seconds(2)))
    try await desk.scene.take(claim, for: bob)
    let claimed = try await event()
    guard case .finish(let last) = watch.received(claimed) else { return record("not final") }
    #expect(last.receiver == bob.address)
    let other = try desk.scene.claim(2)
    var stranger = ClaimWatch(other.terms)
    guard case .drop = stranger.received(claimed) else { return record("believed") }
  }
}
