import BumpClaims
import BumpVault
import BumpWallet
import Testing

extension StoreRule {
  static let raceRules = [
    Self("of a thousand who claim at once, one is paid, and the others get that one's receipt") { scene in
      let (alice, claim) = (try Person(1), try scene.claim(1))
      try await scene.mint(5_000_000, to: alice)
      try await scene.lock(claim, from: alice)
      let claimants = try (0..<1000).map { try Person(100 + $0) }
      let receipts = try await withThrowingTaskGroup(of: (SignedReceipt, Bool).self) { group in
        for claimant in claimants {
          let proof = try scene.proof(of: claim, for: claimant)
          group.addTask {
            do {
              return (try await scene.vault.claim(claim.id, for: claimant.address, proof: proof), true)
            } catch let refusal as VaultRefusal {
              #expect(refusal.code == .alreadyClaimed)
              return (try #require(refusal.receipt), false)
            }
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(receipts.count == 1000 && receipts.count { $0.1 } == 1)
      let receipt = try #require(receipts.first?.0)
      #expect(receipts.allSatisfy { $0.0 == receipt } && receipt.isSigned(by: scene.identity.address))
      let paid = try #require(claimants.first { $0.address == receipt.receipt.receiver })
      #expect(try await scene.balance(paid) == 1_000_000)
    },
    Self("a sender's deposits at once stay within balance and limit", limits: VaultLimits(pending: 7)) { scene in
      let (alice, bob) = (try Person(1), try Person(2))
      try await scene.mint(5_000_000, to: alice)
      try await scene.mint(50_000_000, to: bob)
      for (sender, start, code) in [
        (alice, 0, VaultRefusal.Code.insufficientFunds), (bob, 100, .tooManyPending),
      ] as [(Person, UInt64, VaultRefusal.Code)] {
        let claims = try (start..<start + 30).map { try scene.claim($0) }
        let done = try await withThrowingTaskGroup(of: Bool.self) { group in
          for claim in claims {
            group.addTask {
              do {
                return try await scene.lock(claim, from: sender).status == .pending
              } catch let refusal as VaultRefusal {
                #expect(refusal.code == code)
                return false
              }
            }
          }
          return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(done == (start == 0 ? 5 : 7))
      }
      #expect(try await (scene.balance(alice), scene.balance(bob)) == (0, 43_000_000))
    },
    Self("a claim and its refund at once are one of them, on either side of the expiry") { scene in
      let (alice, bob) = (try Person(1), try Person(2))
      try await scene.mint(40_000_000, to: alice)
      for number in 0..<10 as Range<UInt64> {
        let claim = try scene.claim(number, lasting: 60)
        try await scene.lock(claim, from: alice)
        let end = claim.terms.expiry.unixSeconds - (number.isMultiple(of: 2) ? 1 : 0)
        let proof = try scene.proof(of: claim, for: bob)
        async let taken = try? scene.vault.claim(claim.id, for: bob.address, proof: proof)
        async let refunded = try? scene.vault.refund(claim.id)
        scene.clock.set(end)
        _ = await (taken, refunded)
        // Whichever came too early or too late comes again.
        _ = try? await scene.vault.refund(claim.id)
        _ = try? await scene.take(claim, for: bob)
        scene.clock.set(claim.terms.expiry.unixSeconds)
        _ = try? await scene.vault.refund(claim.id)
        #expect(try await [.claimed, .refunded].contains(scene.vault.view(.claimID(claim.id)).status))
      }
      #expect(try await scene.balance(alice) + scene.balance(bob) == 40_000_000)
    },
  ]
}
