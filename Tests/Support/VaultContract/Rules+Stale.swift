import BumpClaims
package import BumpVault
import BumpWallet
import Testing

extension Scene {
  /// What a deposit would change, decided now and not carried out.
  func decidedDeposit(_ claim: MadeClaim, from sender: Person) async throws -> Change {
    _ = try await vault.draft(claim.id, claim.terms)
    let rows = try await store.rows(of: claim.id, from: sender.address)
    return try change(vault.rules.deposit(authorization(of: claim, from: sender), rows))
  }

  package func decidedClaim(_ claim: MadeClaim, for receiver: Person) async throws -> Change {
    try await change(
      vault.rules.claim(
        for: receiver.address, proof: proof(of: claim, for: receiver), store.rows(of: claim.id)))
  }

  func decidedMint(_ number: UInt64, of units: Int64, for receiver: Person) async throws -> Change {
    let id = Bytes32.word(number)
    let rows = try await store.rows(ofMint: id, of: token)
    return try change(vault.rules.mint(id, amount(units), of: token, to: receiver.address, rows))
  }

  func change(_ decision: Decision<some Sendable>) throws -> Change {
    guard case .change(let change) = decision else { throw NothingDecided() }
    return change
  }

  struct NothingDecided: Error {}

  /// Expects that a store does not carry a change out, and changes nothing.
  func expectStale(_ change: Change, at location: SourceLocation = #_sourceLocation) async throws {
    let before = try await store.snapshot()
    let isDone = try await store.commit(change) != nil
    #expect(!isDone, sourceLocation: location)
    #expect(try await store.snapshot() == before, sourceLocation: location)
    try await expectSound()
  }
}

/// What was decided by rows that have changed since: the store's own conditions hold the money together.
extension StoreRule {
  static let staleRules = [
    Self("a decided claim is not carried out once another was paid") { scene in
      let (alice, bob, carol, claim) = (try Person(1), try Person(2), try Person(3), try scene.claim(1))
      try await scene.mint(3_000_000, to: alice)
      try await scene.lock(claim, from: alice)
      let decided = try await scene.decidedClaim(claim, for: carol)
      try await scene.take(claim, for: bob)
      try await scene.expectStale(decided)
    },
    Self("a decided claim is not carried out once its expiry has come, and a refund is") { scene in
      let (alice, bob, claim) = (try Person(1), try Person(2), try scene.claim(1, lasting: 60))
      try await scene.mint(1_000_000, to: alice)
      try await scene.lock(claim, from: alice)
      let decided = try await scene.decidedClaim(claim, for: bob)
      scene.clock.advance(by: 60)
      try await scene.expectStale(decided)
      let refund = try await scene.change(scene.vault.rules.refund(scene.store.rows(of: claim.id)))
      _ = try #require(try await scene.store.commit(refund))
      try await scene.expectStale(refund)
      try await scene.expectStale(decided)
    },
    Self("a decided refund is not carried out before its time") { scene in
      let (alice, claim) = (try Person(1), try scene.claim(1, lasting: 60))
      try await scene.mint(1_000_000, to: alice)
      let record = try await scene.lock(claim, from: alice)
      // As a vault decides whose clock runs ahead of the store's.
      let ahead = ClaimRows(now: scene.clock.now + 60, claim: record)
      try await scene.expectStale(scene.change(scene.vault.rules.refund(ahead)))
    },
    Self("a decided deposit is carried out once") { scene in
      let (alice, claim) = (try Person(1), try scene.claim(1))
      try await scene.mint(3_000_000, to: alice)
      let decided = try await scene.decidedDeposit(claim, from: alice)
      _ = try #require(try await scene.store.commit(decided))
      try await scene.expectStale(decided)
    },
    Self("a decided deposit is not carried out once its authorization has ended") { scene in
      let (alice, claim) = (try Person(1), try scene.claim(1))
      try await scene.mint(3_000_000, to: alice)
      let decided = try await scene.decidedDeposit(claim, from: alice)
      scene.clock.advance(by: 120)
      try await scene.expectStale(decided)
    },
    Self("a decided deposit is not carried out once the claim has expired") { scene in
      let (alice, claim) = (try Person(1), try scene.claim(1, lasting: 60))
      try await scene.mint(3_000_000, to: alice)
      let decided = try await scene.decidedDeposit(claim, from: alice)
      scene.clock.advance(by: 60)
      try await scene.expectStale(decided)
    },
    Self("a decided deposit is not carried out once its draft has lapsed, or is another's") { scene in
      let (alice, claim) = (try Person(1), try scene.claim(1))
      try await scene.mint(3_000_000, to: alice)
      _ = try await scene.vault.draft(claim.id, claim.terms)
      let rows = try await scene.store.rows(of: claim.id, from: alice.address)
      let decided = try scene.change(
        scene.vault.rules.deposit(scene.authorization(of: claim, from: alice, lasting: 10_000), rows))
      scene.clock.advance(by: 600)
      try await scene.expectStale(decided)
      _ = try await scene.vault.draft(claim.id, scene.claim(2).terms)
      try await scene.expectStale(decided)
    },
    Self("a decided deposit is not carried out once the money is spent") { scene in
      let (alice, claim) = (try Person(1), try scene.claim(1))
      try await scene.mint(1_999_999, to: alice)
      let decided = try await scene.decidedDeposit(claim, from: alice)
      try await scene.lock(scene.claim(2), from: alice)
      try await scene.expectStale(decided)
    },
    Self("a decided deposit is not carried out once others have occupied its ledger id") { scene in
      let (alice, mallory, claim) = (try Person(1), try Person(3), try scene.claim(1))
      for person in [alice, mallory] { try await scene.mint(1_000_000, to: person) }
      let decided = try await scene.decidedDeposit(claim, from: alice)
      try await scene.lock(MadeClaim(id: ClaimID("copy"), key: claim.key, terms: claim.terms), from: mallory)
      try await scene.expectStale(decided)
    },
    Self("a decided deposit is not carried out beyond the pending ones", limits: VaultLimits(pending: 1)) { scene in
      let (alice, claim) = (try Person(1), try scene.claim(1))
      try await scene.mint(3_000_000, to: alice)
      let decided = try await scene.decidedDeposit(claim, from: alice)
      try await scene.lock(scene.claim(2), from: alice)
      try await scene.expectStale(decided)
    },
    Self("a decided deposit is not carried out beyond the day's", limits: VaultLimits(depositsPerDay: 1)) { scene in
      let (alice, claim) = (try Person(1), try scene.claim(1))
      try await scene.mint(3_000_000, to: alice)
      let decided = try await scene.decidedDeposit(claim, from: alice)
      let other = try scene.claim(2)
      try await scene.lock(other, from: alice)
      try await scene.take(other, for: Person(2))
      try await scene.expectStale(decided)
    },
    Self("a decided draft does not take the place of another") { scene in
      let (claim, other) = (try scene.claim(1), try scene.claim(2))
      let rows = try await scene.store.rows(of: claim.id)
      let decided = try scene.change(scene.vault.rules.draft(claim.id, other.terms, rows))
      _ = try await scene.vault.draft(claim.id, claim.terms)
      try await scene.expectStale(decided)
      #expect(try await scene.store.rows(of: claim.id).claim?.terms == claim.terms)
      try await scene.mint(1_000_000, to: Person(1))
      try await scene.lock(claim, from: Person(1))
      scene.clock.advance(by: 100_000)
      try await scene.expectStale(decided)
    },
    Self("a decided mint is carried out once") { scene in
      let decided = try await scene.decidedMint(1, of: 1_000_000, for: Person(1))
      _ = try #require(try await scene.store.commit(decided))
      try await scene.expectStale(decided)
    },
    Self("a decided mint is not carried out beyond what can be") { scene in
      let decided = try await scene.decidedMint(1, of: .max, for: Person(1))
      try await scene.mint(1, to: Person(1), id: 2)
      try await scene.expectStale(decided)
    },
  ]
}
