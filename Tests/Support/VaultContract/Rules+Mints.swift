import BumpClaims
import BumpVault
import BumpWallet
import Testing

extension StoreRule {
  static let mintRules = [
    Self("no more is minted than 64 bits hold") { scene in
      let (alice, bob) = (try Person(1), try Person(2))
      try await scene.mint(.max - 1, to: alice, id: 1)
      await expectRefusal(.supplyExhausted) { try await scene.mint(2, to: bob, id: 2) }
      try await scene.mint(1, to: bob, id: 3)
      await expectRefusal(.supplyExhausted) { try await scene.mint(1, to: bob, id: 4) }
      try await scene.expectSound(minted: .max)
    },
    Self("one id is one mint") { scene in
      let (alice, bob) = (try Person(1), try Person(2))
      try await scene.mint(5, to: alice, id: 1)
      await expectRefusal(.idTaken) { try await scene.mint(5, to: bob, id: 1) }
      await expectRefusal(.idTaken) { try await scene.mint(6, to: alice, id: 1) }
      scene.clock.advance(by: 100)
      try await scene.mint(5, to: alice, id: 1)
      #expect(try await scene.balance(alice) == 5)
    },
    Self("a mint whose id is the ledger id of a claim is no part of that claim") { scene in
      let (alice, bob, claim) = (try Person(1), try Person(2), try scene.claim(1))
      try await scene.mint(1_000_000, to: alice)
      let amount = try scene.amount(5)
      for isSealed in [false, true] {
        _ = try await scene.vault.mint(claim.terms.ledgerID, amount, of: scene.token, to: bob.address)
        try await scene.lock(claim, from: alice)
        try await scene.expectSound()
        if !isSealed { try await scene.store.seal(limit: 100) }
      }
      try await scene.take(claim, for: bob)
      #expect(try await scene.balance(bob) == 1_000_005)
    },
    Self("nothing is minted for zero, the vault or the token, nor of another token") { scene in
      let amount = try scene.amount(1)
      for receiver in [.zero, scene.identity.address, try scene.token] {
        await expectRefusal(.badReceiver) {
          try await scene.vault.mint(.word(1), amount, of: scene.token, to: receiver)
        }
      }
      let person = try Person(1).address
      await expectRefusal(.unknownToken) { try await scene.vault.mint(.word(1), amount, of: person, to: person) }
    },
  ]
}
