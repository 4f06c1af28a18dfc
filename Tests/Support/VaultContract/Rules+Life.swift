import BumpClaims
import BumpVault
import BumpWallet
import Testing

extension StoreRule {
  static let lifeRules = [
    Self("a claim is drafted, deposited, and paid out once, with a signed receipt") { scene in
      let (alice, bob) = (try Person(1), try Person(2))
      let claim = try scene.claim(1)
      try await scene.mint(5_000_000, to: alice)

      #expect(try await scene.vault.draft(claim.id, claim.terms).status == .none)
      #expect(try await scene.vault.view(.claimID(claim.id)).event == .none)
      #expect(try await scene.balance(alice) == 5_000_000)

      scene.clock.advance(by: 10)
      let pending = try await scene.vault.deposit(claim.id, scene.authorization(of: claim, from: alice))
      #expect(pending.status == .pending && pending.deposit?.time == scene.clock.now)
      #expect(try await scene.vault.view(.claimID(claim.id)).event == .pending)
      #expect(try await scene.balance(alice) == 4_000_000)

      scene.clock.advance(by: 10)
      let receipt = try await scene.take(claim, for: bob)
      #expect(receipt.isSigned(by: scene.identity.address))
      #expect(receipt.receipt.receiver == bob.address && receipt.receipt.amount == claim.terms.amount)
      #expect(receipt.receipt.ledgerID == claim.terms.ledgerID && receipt.receipt.time == scene.clock.now)
      #expect(try await (scene.balance(alice), scene.balance(bob)) == (4_000_000, 1_000_000))

      let view = try await scene.vault.view(.claimID(claim.id))
      #expect(view.status == .claimed && view.receiver == bob.address && view.time == scene.clock.now)
      #expect(view.transaction == receipt.receipt.transaction)
      let entries = try await scene.store.history(of: bob.address, before: nil, limit: 10).map(\.entry)
      #expect(entries.map(\.kind) == [.claim] && entries.map(\.hash) == [receipt.receipt.transaction])
    },
    Self("an expired claim goes back to its sender, and nobody is told who that is") { scene in
      let alice = try Person(1)
      let claim = try scene.claim(1)
      try await scene.mint(1_000_000, to: alice)
      try await scene.lock(claim, from: alice)
      scene.clock.advance(by: 3600)
      #expect(try await scene.vault.view(.claimID(claim.id)).event == .expired)
      #expect(try await scene.vault.view(.claimID(claim.id)).status == .pending)
      let receipt = try await scene.vault.refund(claim.id)
      #expect(receipt.isSigned(by: scene.identity.address))
      #expect(receipt.receipt.outcome == .refunded && receipt.receipt.receiver == .zero)
      let view = try await scene.vault.view(.claimID(claim.id))
      #expect(view.event == .refunded && view.receiver == nil && view.transaction == receipt.receipt.transaction)
      #expect(try await scene.balance(alice) == 1_000_000)
    },
    Self("expiry is to the second") { scene in
      let (alice, bob) = (try Person(1), try Person(2))
      let (first, second) = (try scene.claim(1, lasting: 60), try scene.claim(2, lasting: 60))
      try await scene.mint(2_000_000, to: alice)
      try await scene.lock(first, from: alice)
      try await scene.lock(second, from: alice)
      scene.clock.advance(by: 59)
      let refusal = await expectRefusal(.notExpired) { try await scene.vault.refund(second.id) }
      #expect(refusal?.notBefore == second.terms.expiry.unixSeconds)
      try await scene.take(first, for: bob)
      scene.clock.advance(by: 1)
      await expectRefusal(.expired) { try await scene.take(second, for: bob) }
      _ = try await scene.vault.refund(second.id)
      #expect(try await (scene.balance(alice), scene.balance(bob)) == (1_000_000, 1_000_000))
    },
    Self("the store's clock never runs backwards") { scene in
      let (alice, bob) = (try Person(1), try Person(2))
      let claim = try scene.claim(1, lasting: 60)
      try await scene.mint(2_000_000, to: alice)
      try await scene.lock(claim, from: alice)
      scene.clock.advance(by: 60)
      // The moment is the store's once something is written at it.
      try await scene.mint(1, to: bob)
      scene.clock.advance(by: -30)
      await expectRefusal(.expired) { try await scene.take(claim, for: bob) }
      _ = try await scene.vault.refund(claim.id)
      let times = try await scene.store.history(of: alice.address, before: nil, limit: 10).map(\.entry.time)
      #expect(times.first == claim.terms.expiry.unixSeconds)
    },
    Self("the whole of what there can be is sent and taken") { scene in
      let (alice, bob) = (try Person(1), try Person(2))
      try await scene.mint(.max, to: alice)
      let claim = try scene.claim(1, .max)
      let vault = try await Vault(scene.store, limits: VaultLimits(cap: scene.amount(.max)))
      _ = try await vault.draft(claim.id, claim.terms)
      _ = try await vault.deposit(claim.id, scene.authorization(of: claim, from: alice))
      #expect(try await scene.balance(alice) == 0)
      try await scene.take(claim, for: bob)
      #expect(try await scene.balance(bob) == .max)
      try await scene.expectSound(minted: .max)
    },
  ]
}
