import BumpClaims
import BumpVault
import BumpWallet
import Testing

extension StoreRule {
  static let limitRules = [
    Self("a sender has so many pending claims at once", limits: VaultLimits(pending: 2)) { scene in
      let (alice, bob) = (try Person(1), try Person(2))
      for person in [alice, bob] { try await scene.mint(9_000_000, to: person) }
      let (first, second) = (try scene.claim(1), try scene.claim(2, lasting: 60))
      try await scene.lock(first, from: alice)
      try await scene.lock(second, from: alice)
      await expectRefusal(.tooManyPending) { try await scene.lock(scene.claim(3), from: alice) }
      // Nobody else's.
      try await scene.lock(scene.claim(4), from: bob)
      try await scene.take(first, for: bob)
      try await scene.lock(scene.claim(3), from: alice)
      scene.clock.advance(by: 60)
      // One that has expired counts until it is refunded.
      await expectRefusal(.tooManyPending) { try await scene.lock(scene.claim(5), from: alice) }
      _ = try await scene.vault.refund(second.id)
      try await scene.lock(scene.claim(5), from: alice)
    },
    Self("a sender makes so many deposits a day", limits: VaultLimits(depositsPerDay: 2)) { scene in
      let (alice, bob) = (try Person(1), try Person(2))
      for person in [alice, bob] { try await scene.mint(9_000_000, to: person) }
      let first = try scene.claim(1)
      try await scene.lock(first, from: alice)
      try await scene.take(first, for: bob)
      try await scene.lock(scene.claim(2), from: alice)
      let midnight = (scene.clock.now / 86400 + 1) * 86400
      scene.clock.set(midnight - 1)
      let refusal = await expectRefusal(.tooManyDeposits) {
        try await scene.lock(scene.claim(3, lasting: 61), from: alice)
      }
      #expect(refusal?.notBefore == midnight)
      try await scene.lock(scene.claim(4, lasting: 61), from: bob)
      scene.clock.set(midnight)
      for number in 5...6 as ClosedRange<UInt64> { try await scene.lock(scene.claim(number), from: alice) }
      await expectRefusal(.tooManyDeposits) { try await scene.lock(scene.claim(7), from: alice) }
    },
    Self("nobody uses up the limits of another", limits: VaultLimits(pending: 1, depositsPerDay: 1)) { scene in
      let (alice, mallory) = (try Person(1), try Person(3))
      try await scene.mint(1_000_000, to: alice)
      // Drafts, deposits without money, and deposits in alice's name count for nothing of hers.
      for number in 1...5 as ClosedRange<UInt64> {
        let claim = try scene.claim(number)
        await expectRefusal(.insufficientFunds) { try await scene.lock(claim, from: mallory) }
        let forged = try scene.authorization(of: claim, from: mallory)
        await expectRefusal(.notAuthorized) {
          try await scene.vault.deposit(
            claim.id,
            SenderAuthorization(sender: alice.address, validBefore: forged.validBefore, bytes: forged.bytes))
        }
      }
      try await scene.lock(scene.claim(6), from: alice)
    },
  ]
}
