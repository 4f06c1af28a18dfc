import BumpClaims
import BumpVault
import BumpWallet
import Testing

extension StoreRule {
  static let draftRules = [
    Self("a draft lapses after ten minutes, to the second, and its id is free again") { scene in
      let alice = try Person(1)
      let (claim, late) = (try scene.claim(1), try scene.claim(2))
      try await scene.mint(2_000_000, to: alice)
      _ = try await scene.vault.draft(claim.id, claim.terms)
      _ = try await scene.vault.draft(late.id, late.terms)
      scene.clock.advance(by: 599)
      _ = try await scene.vault.deposit(claim.id, scene.authorization(of: claim, from: alice))
      scene.clock.advance(by: 1)
      await expectRefusal(.unknownClaim) {
        try await scene.vault.deposit(late.id, scene.authorization(of: late, from: alice))
      }
      await expectRefusal(.unknownClaim) { try await scene.vault.view(.claimID(late.id)) }
      // What is deposited does not lapse.
      #expect(try await scene.vault.view(.claimID(claim.id)).status == .pending)
      await expectRefusal(.idTaken) { try await scene.vault.draft(claim.id, late.terms) }
      let others = try scene.claim(3)
      #expect(try await scene.vault.draft(late.id, others.terms).terms == others.terms)
    },
    Self("a draft is in nobody's account") { scene in
      let (alice, claim) = (try Person(1), try scene.claim(1))
      _ = try await scene.vault.draft(claim.id, claim.terms)
      #expect(try await scene.store.history(of: alice.address, before: nil, limit: 10).isEmpty)
      #expect(try await scene.store.snapshot().claims.isEmpty)
    },
    Self("drafts that lapsed are deleted, and nothing else is") { scene in
      let alice = try Person(1)
      let (pending, lapsed, fresh) = (try scene.claim(1), try scene.claim(2), try scene.claim(3))
      try await scene.mint(1_000_000, to: alice)
      try await scene.lock(pending, from: alice)
      _ = try await scene.vault.draft(lapsed.id, lapsed.terms)
      scene.clock.advance(by: 600)
      _ = try await scene.vault.draft(fresh.id, fresh.terms)
      #expect(try await scene.store.removeDrafts(lifetime: 600) == 1)
      #expect(try await scene.store.rows(of: lapsed.id).claim == nil)
      #expect(try await scene.store.rows(of: fresh.id).claim?.status == ClaimStatus.none)
      #expect(try await scene.store.rows(of: pending.id).claim?.status == .pending)
    },
    Self("another draft under one id is refused") { scene in
      let (claim, other) = (try scene.claim(1), try scene.claim(2))
      _ = try await scene.vault.draft(claim.id, claim.terms)
      await expectRefusal(.idTaken) { try await scene.vault.draft(claim.id, other.terms) }
      for changed in try [scene.claim(1, 2), scene.claim(1, lasting: 7200)] {
        await expectRefusal(.idTaken) { try await scene.vault.draft(claim.id, changed.terms) }
      }
    },
    Self("a draft whose terms the vault does not take is refused") { scene in
      let token = try Person(9).address
      let cases: [(MadeClaim, VaultRefusal.Code)] = [
        (try scene.claim(1, token: token), .unknownToken), (try scene.claim(1, 100_000_001), .overCap),
        (try scene.claim(1, lasting: 0), .badExpiry), (try scene.claim(1, lasting: -60), .badExpiry),
        (try scene.claim(1, lasting: 30 * 86400 + 60), .badExpiry), (try scene.claim(1, lasting: 61), .badExpiry),
      ]
      for (claim, code) in cases {
        await expectRefusal(code) { try await scene.vault.draft(claim.id, claim.terms) }
      }
      for claim in try [
        scene.claim(1, 100_000_000), scene.claim(2, 1, lasting: 30 * 86400), scene.claim(3, lasting: 60),
      ] {
        #expect(try await scene.vault.draft(claim.id, claim.terms).status == .none)
      }
    },
  ]
}
