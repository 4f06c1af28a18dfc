import BumpClaims
import BumpVault
import BumpWallet
import Testing

extension StoreRule {
  static let claimRules = [
    Self("a claim without a deposit is not paid") { scene in
      let (bob, claim) = (try Person(2), try scene.claim(1))
      await expectRefusal(.unknownClaim) { try await scene.take(claim, for: bob) }
      _ = try await scene.vault.draft(claim.id, claim.terms)
      await expectRefusal(.notDeposited) { try await scene.take(claim, for: bob) }
      await expectRefusal(.notDeposited) { try await scene.vault.refund(claim.id) }
    },
    Self("a claim that was paid is not paid to another, who gets the receipt") { scene in
      let (alice, bob, carol) = (try Person(1), try Person(2), try Person(3))
      let claim = try scene.claim(1)
      try await scene.mint(2_000_000, to: alice)
      try await scene.lock(claim, from: alice)
      let receipt = try await scene.take(claim, for: bob)
      let refusal = await expectRefusal(.alreadyClaimed) { try await scene.take(claim, for: carol) }
      #expect(refusal?.receipt == receipt)
      // Final comes first: before what the receiver or the proof is worth.
      for receiver in [carol.address, .zero] {
        await expectRefusal(.alreadyClaimed) {
          try await scene.vault.claim(claim.id, for: receiver, proof: [])
        }
      }
      scene.clock.advance(by: 7200)
      #expect(await expectRefusal(.alreadyClaimed) { try await scene.vault.refund(claim.id) }?.receipt == receipt)
      #expect(try await (scene.balance(alice), scene.balance(carol)) == (1_000_000, 0))
    },
    Self("a claim that was refunded is not paid") { scene in
      let (alice, bob, claim) = (try Person(1), try Person(2), try scene.claim(1, lasting: 60))
      try await scene.mint(1_000_000, to: alice)
      try await scene.lock(claim, from: alice)
      scene.clock.advance(by: 60)
      _ = try await scene.vault.refund(claim.id)
      await expectRefusal(.expired) { try await scene.take(claim, for: bob) }
      // Its sender was paid, but not by a claim.
      await expectRefusal(.expired) { try await scene.take(claim, for: alice) }
    },
    Self("a proof in any other form is refused") { scene in
      let (alice, bob, claim) = (try Person(1), try Person(2), try scene.claim(1))
      try await scene.mint(1_000_000, to: alice)
      try await scene.lock(claim, from: alice)
      let good = try scene.proof(of: claim, for: bob)
      for bad in BadSignature.allCases {
        await expectRefusal(bad.isWellFormed ? .wrongSecret : .badSignature) {
          try await scene.vault.claim(claim.id, for: bob.address, proof: bad.of(good))
        }
      }
      #expect(try await scene.balance(bob) == 0)
      try await scene.take(claim, for: bob)
    },
    Self("a proof for anything else is refused") { scene in
      let (alice, bob, mallory) = (try Person(1), try Person(2), try Person(3))
      let (claim, other) = (try scene.claim(1), try scene.claim(2))
      try await scene.mint(2_000_000, to: alice)
      for claim in [claim, other] { try await scene.lock(claim, from: alice) }
      let tokens = scene.identity.vault.vault.tokens
      let there = try VaultDescription(
        chainID: EmbeddedChain.local, address: Scene.identity(seed: 2).address, tokens: tokens)
      let chain = try VaultDescription(chainID: 1, address: scene.identity.address, tokens: tokens)
      let proofs = try [
        // For another receiver, another claim, at another vault, on another chain, by another key.
        scene.proof(of: claim, for: bob), scene.proof(of: other, for: mallory),
        scene.proof(of: claim, for: mallory, at: PinnedVault(configured: there)),
        scene.proof(of: claim, for: mallory, at: PinnedVault(configured: chain)),
        mallory.key.sign(scene.identity.vault.payout(of: claim.terms, to: mallory.address).digest).bytes,
      ]
      for proof in proofs {
        await expectRefusal(.wrongSecret) {
          try await scene.vault.claim(claim.id, for: mallory.address, proof: proof)
        }
      }
      #expect(try await scene.balance(mallory) == 0)
    },
    Self("zero, the vault and the token are paid nothing") { scene in
      let (alice, bob, claim) = (try Person(1), try Person(2), try scene.claim(1))
      try await scene.mint(1_000_000, to: alice)
      try await scene.lock(claim, from: alice)
      for receiver in [.zero, scene.identity.address, try scene.token] {
        await expectRefusal(.badReceiver) {
          try await scene.vault.claim(claim.id, for: receiver, proof: scene.proof(of: claim, for: bob))
        }
      }
    },
    Self("a claim for the zero address's secret is nobody's") { scene in
      let (alice, bob) = (try Person(1), try Person(2))
      var claim = try scene.claim(1)
      claim.terms = ClaimTerms(
        secretHash: Keccak256.hash(Address.zero.bytes), token: try scene.token, amount: claim.terms.amount,
        expiry: claim.terms.expiry)
      try await scene.mint(1_000_000, to: alice)
      try await scene.lock(claim, from: alice)
      let proofs = [BadSignature.noSigner.of([]), try scene.proof(of: claim, for: bob)]
      for proof in proofs {
        await expectRefusal(.wrongSecret) { try await scene.vault.claim(claim.id, for: bob.address, proof: proof) }
      }
      await expectRefusal(.badSignature) {
        try await scene.vault.claim(claim.id, for: bob.address, proof: [UInt8](repeating: 0, count: 65))
      }
    },
    Self("a wrong proof is called so before the expiry is looked at") { scene in
      let (alice, bob, claim) = (try Person(1), try Person(2), try scene.claim(1, lasting: 60))
      try await scene.mint(1_000_000, to: alice)
      try await scene.lock(claim, from: alice)
      scene.clock.advance(by: 60)
      await expectRefusal(.wrongSecret) {
        try await scene.vault.claim(claim.id, for: bob.address, proof: scene.proof(of: claim, for: alice))
      }
    },
  ]

  static let refundRules = [
    Self("what the vault does not know is not refunded") { scene in
      await expectRefusal(.unknownClaim) { try await scene.vault.refund(scene.claim(1).id) }
    },
    Self("a sender's deposit comes back to the sender alone") { scene in
      let (alice, claim) = (try Person(1), try scene.claim(1, lasting: 60))
      try await scene.mint(5_000_000, to: alice)
      try await scene.lock(claim, from: alice)
      scene.clock.advance(by: 61)
      _ = try await scene.vault.refund(claim.id)
      let entries = try await scene.store.history(of: alice.address, before: nil, limit: 10).map(\.entry)
      #expect(entries.map(\.kind) == [.refund, .deposit, .mint])
      #expect(entries[0].to == alice.address && entries[0].evidence == entries[1].hash.bytes)
      #expect(try await scene.balance(alice) == 5_000_000)
    },
  ]
}
