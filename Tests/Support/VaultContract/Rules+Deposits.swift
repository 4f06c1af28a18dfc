import BumpClaims
import BumpVault
import BumpWallet
import Testing

extension StoreRule {
  static let depositRules = [
    Self("a deposit without a draft is refused") { scene in
      let (alice, claim) = (try Person(1), try scene.claim(1))
      try await scene.mint(1_000_000, to: alice)
      await expectRefusal(.unknownClaim) {
        try await scene.vault.deposit(claim.id, scene.authorization(of: claim, from: alice))
      }
    },
    Self("an authorization in any other form is refused") { scene in
      let (alice, claim) = (try Person(1), try scene.claim(1))
      try await scene.mint(1_000_000, to: alice)
      _ = try await scene.vault.draft(claim.id, claim.terms)
      let good = try scene.authorization(of: claim, from: alice)
      for bad in BadSignature.allCases {
        let word = SenderAuthorization(
          sender: good.sender, validBefore: good.validBefore, bytes: bad.of(good.bytes))
        await expectRefusal(bad.isWellFormed ? .notAuthorized : .badSignature) {
          try await scene.vault.deposit(claim.id, word)
        }
      }
      #expect(try await scene.balance(alice) == 1_000_000)
    },
    Self("an authorization for anything else is refused") { scene in
      let (alice, mallory) = (try Person(1), try Person(3))
      let (claim, other) = (try scene.claim(1), try scene.claim(2))
      for person in [alice, mallory] { try await scene.mint(9_000_000, to: person) }
      _ = try await scene.vault.draft(claim.id, claim.terms)
      let good = try scene.authorization(of: claim, from: alice)
      let elsewhere = try Scene.identity(seed: 2).vault
      let moved = PinnedVault(
        configured: try VaultDescription(
          chainID: 1, address: scene.identity.address, tokens: scene.identity.vault.vault.tokens))
      let there = try VaultDescription(
        chainID: scene.identity.vault.vault.chainID, address: elsewhere.vault.address,
        tokens: scene.identity.vault.vault.tokens)
      let wrong = try [
        // Another claim's, a smaller amount's, a stranger's, another vault's, another chain's.
        scene.authorization(of: other, from: alice).bytes,
        scene.authorization(of: scene.claim(1, 1), from: alice).bytes,
        scene.authorization(of: claim, from: mallory).bytes,
        scene.authorization(of: claim, from: alice, at: PinnedVault(configured: there)).bytes,
        scene.authorization(of: claim, from: alice, at: moved).bytes,
        scene.authorization(of: claim, from: alice, lasting: 121).bytes,
      ]
      for bytes in wrong {
        await expectRefusal(.notAuthorized) {
          try await scene.vault.deposit(
            claim.id, SenderAuthorization(sender: good.sender, validBefore: good.validBefore, bytes: bytes))
        }
      }
      await expectRefusal(.notAuthorized) {
        try await scene.vault.deposit(
          claim.id, SenderAuthorization(sender: .zero, validBefore: good.validBefore, bytes: good.bytes))
      }
    },
    Self("an authorization is used once") { scene in
      let (alice, bob, claim) = (try Person(1), try Person(2), try scene.claim(1))
      try await scene.mint(9_000_000, to: alice)
      let authorization = try scene.authorization(of: claim, from: alice, lasting: 1_000_000)
      _ = try await scene.vault.draft(claim.id, claim.terms)
      _ = try await scene.vault.deposit(claim.id, authorization)
      try await scene.take(claim, for: bob)
      _ = try await scene.vault.deposit(claim.id, authorization)
      #expect(try await scene.balance(alice) == 8_000_000)
    },
    Self("an authorization that was deposited under another id counts, and the ledger id names the claim") { scene in
      let (alice, bob, claim) = (try Person(1), try Person(2), try scene.claim(1))
      try await scene.mint(9_000_000, to: alice)
      let authorization = try scene.authorization(of: claim, from: alice)
      _ = try await scene.vault.draft(claim.id, claim.terms)
      // Somebody who carried it is quicker, with a draft of their own.
      let theirs = try ClaimID("theirs")
      _ = try await scene.vault.draft(theirs, claim.terms)
      let first = try await scene.vault.deposit(theirs, authorization)
      #expect(try await scene.vault.deposit(claim.id, authorization) == first)
      #expect(try await scene.balance(alice) == 8_000_000)
      await expectRefusal(.idTaken) {
        try await scene.vault.deposit(claim.id, scene.authorization(of: claim, from: alice, lasting: 60))
      }

      let name = ClaimName.ledgerID(claim.terms.ledgerID)
      let view = try await scene.vault.view(name)
      #expect(view.status == .pending && view.terms == claim.terms && view.claimID == nil)
      #expect(try await scene.vault.claimID(name) == theirs)
      let proof = claim.key.proof(of: try scene.identity.vault.payout(of: claim.terms, to: bob.address)).bytes
      _ = try await scene.vault.claim(scene.vault.claimID(name), for: bob.address, proof: proof)
      #expect(try await (scene.balance(alice), scene.balance(bob)) == (8_000_000, 1_000_000))
    },
    Self("a draft is not found by its ledger id") { scene in
      let claim = try scene.claim(1)
      _ = try await scene.vault.draft(claim.id, claim.terms)
      await expectRefusal(.unknownClaim) { try await scene.vault.view(.ledgerID(claim.terms.ledgerID)) }
    },
    Self("an authorization ends to the second") { scene in
      let (alice, first, second) = (try Person(1), try scene.claim(1), try scene.claim(2))
      try await scene.mint(2_000_000, to: alice)
      let words = try [first, second].map { try scene.authorization(of: $0, from: alice) }
      for claim in [first, second] { _ = try await scene.vault.draft(claim.id, claim.terms) }
      scene.clock.advance(by: 119)
      _ = try await scene.vault.deposit(first.id, words[0])
      scene.clock.advance(by: 1)
      await expectRefusal(.authorizationExpired) { try await scene.vault.deposit(second.id, words[1]) }
      #expect(try await scene.balance(alice) == 1_000_000)
    },
    Self("a claim that expired as a draft is not deposited") { scene in
      let (alice, claim) = (try Person(1), try scene.claim(1, lasting: 60))
      try await scene.mint(1_000_000, to: alice)
      _ = try await scene.vault.draft(claim.id, claim.terms)
      let authorization = try scene.authorization(of: claim, from: alice)
      scene.clock.advance(by: 60)
      await expectRefusal(.badExpiry) { try await scene.vault.deposit(claim.id, authorization) }
    },
    Self("nobody spends more than there is") { scene in
      let alice = try Person(1)
      let (poor, rich) = (try scene.claim(1, 1_000_001), try scene.claim(2, 1_000_000))
      await expectRefusal(.insufficientFunds) { try await scene.lock(rich, from: alice) }
      try await scene.mint(1_000_000, to: alice)
      await expectRefusal(.insufficientFunds) { try await scene.lock(poor, from: alice) }
      try await scene.lock(rich, from: alice)
      await expectRefusal(.insufficientFunds) { try await scene.lock(scene.claim(3, 1), from: alice) }
    },
    Self("another's deposit under one id is refused, and does not tell whose the first is") { scene in
      let (alice, mallory, claim) = (try Person(1), try Person(3), try scene.claim(1))
      for person in [alice, mallory] { try await scene.mint(1_000_000, to: person) }
      let record = try await scene.lock(claim, from: alice)
      let good = try #require(record.deposit?.authorization)
      let wrong = try [
        scene.authorization(of: claim, from: mallory), scene.authorization(of: claim, from: alice, lasting: 60),
        SenderAuthorization(sender: alice.address, validBefore: good.validBefore, bytes: [0]),
        SenderAuthorization(sender: mallory.address, validBefore: good.validBefore, bytes: good.bytes),
      ]
      for word in wrong { await expectRefusal(.idTaken) { try await scene.vault.deposit(claim.id, word) } }
      #expect(try await scene.balance(mallory) == 1_000_000)
    },
    Self("terms that others have occupied are refused, and cost nothing") { scene in
      let (alice, mallory, claim) = (try Person(1), try Person(3), try scene.claim(1))
      for person in [alice, mallory] { try await scene.mint(1_000_000, to: person) }
      _ = try await scene.vault.draft(claim.id, claim.terms)
      // The secretHash is public: somebody else deposits for it, under another id.
      let copy = MadeClaim(id: try ClaimID("copy"), key: claim.key, terms: claim.terms)
      try await scene.lock(copy, from: mallory)
      await expectRefusal(.idTaken) {
        try await scene.vault.deposit(claim.id, scene.authorization(of: claim, from: alice))
      }
      #expect(try await (scene.balance(alice), scene.balance(mallory)) == (1_000_000, 0))
    },
  ]
}
