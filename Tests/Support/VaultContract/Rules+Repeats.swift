import BumpClaims
import BumpVault
import BumpWallet
import Testing

extension StoreRule {
  static let repeatRules = [
    Self("an equal repeat gets the first answer, and moves nothing") { scene in
      let (alice, bob) = (try Person(1), try Person(2))
      let claim = try scene.claim(1, lasting: 120)
      try await scene.mint(3_000_000, to: alice, id: 7)
      try await scene.mint(3_000_000, to: alice, id: 7)
      let draft = try await scene.vault.draft(claim.id, claim.terms)
      scene.clock.advance(by: 1)
      #expect(try await scene.vault.draft(claim.id, claim.terms) == draft)
      let authorization = try scene.authorization(of: claim, from: alice, lasting: 10)
      let pending = try await scene.vault.deposit(claim.id, authorization)
      // The authorization has ended: that does not matter to a repeat.
      scene.clock.advance(by: 20)
      #expect(try await scene.vault.deposit(claim.id, authorization) == pending)
      #expect(try await scene.vault.draft(claim.id, claim.terms) == pending)
      let receipt = try await scene.take(claim, for: bob)
      scene.clock.advance(by: 500)
      #expect(try await scene.take(claim, for: bob) == receipt)
      // A receiver that was paid need not prove it again.
      #expect(try await scene.vault.claim(claim.id, for: bob.address, proof: []) == receipt)
      #expect(try await scene.vault.deposit(claim.id, authorization).status == .claimed)
      #expect(try await (scene.balance(alice), scene.balance(bob)) == (2_000_000, 1_000_000))
      try await scene.expectSound(minted: 3_000_000)
    },
    Self("a refund is paid once, however often it is asked for") { scene in
      let alice = try Person(1)
      let claim = try scene.claim(1, lasting: 60)
      try await scene.mint(1_000_000, to: alice)
      try await scene.lock(claim, from: alice)
      scene.clock.advance(by: 60)
      let receipt = try await scene.vault.refund(claim.id)
      scene.clock.advance(by: 60)
      #expect(try await scene.vault.refund(claim.id) == receipt)
      #expect(try await scene.balance(alice) == 1_000_000)
    },
    Self(
      "a repeat is recognised before the limits",
      limits: VaultLimits(pending: 1, depositsPerDay: 1)
    ) { scene in
      let alice = try Person(1)
      let claim = try scene.claim(1)
      try await scene.mint(1_000_000, to: alice)
      try await scene.lock(claim, from: alice)
      #expect(try await scene.lock(claim, from: alice).status == .pending)
    },
  ]
}
