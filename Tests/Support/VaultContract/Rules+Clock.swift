import BumpClaims
import BumpVault
import BumpWallet
import Testing

extension StoreRule {
  private static let twoDays: Int64 = 2 * 86_400

  static let clockRules = [
    Self("a clock that was two days ahead for three seconds refunds nothing, and leaves no trace") { scene in
      let (alice, bob) = (try Person(1), try Person(2))
      let (claim, other) = (try scene.claim(1, lasting: 86_400), try scene.claim(2, lasting: 86_400))
      let next = try scene.claim(3, lasting: 2 * twoDays)
      try await scene.mint(3_000_000, to: alice)
      for claim in [claim, other] { try await scene.lock(claim, from: alice) }
      _ = try await scene.vault.draft(next.id, next.terms)
      let word = try scene.authorization(of: next, from: alice)
      let before = scene.clock.now
      scene.clock.jump(by: twoDays)
      for _ in 0..<3 {
        await expectRefusal(.notExpired) { try await scene.vault.refund(claim.id) }
        #expect(try await scene.vault.view(.claimID(claim.id)).event == .pending)
        // Its sender takes it as certain that nothing was locked after the end by whichever clock.
        await expectRefusal(.authorizationExpired) { try await scene.vault.deposit(next.id, word) }
        try await scene.store.keepTime()
        try await scene.store.seal(limit: 10)
        scene.clock.advance(by: 1)
      }
      #expect(try await scene.store.currentTime().lead == twoDays)
      // Claims go on to be paid.
      let receipt = try await scene.take(other, for: bob)
      #expect(receipt.receipt.time == before + 3)
      scene.clock.jump(by: -twoDays)
      let after = try await scene.store.currentTime()
      #expect(after == StoreTime(now: before + 3, clock: before + 3))
      try await scene.lock(next, from: alice)
      try await scene.take(claim, for: bob)
      scene.clock.advance(by: 2 * twoDays)
      _ = try await scene.vault.refund(next.id)
    },
    Self("a decided refund is not carried out by a clock that jumped meanwhile, nor a decided deposit") { scene in
      let (alice, claim, next) = (try Person(1), try scene.claim(1, lasting: 86_400), try scene.claim(2))
      try await scene.mint(2_000_000, to: alice)
      let record = try await scene.lock(claim, from: alice)
      let deposit = try await scene.decidedDeposit(next, from: alice)
      let refund = try scene.change(
        scene.vault.rules.refund(ClaimRows(now: scene.clock.now + twoDays, claim: record)))
      scene.clock.jump(by: twoDays)
      for change in [refund, deposit] { try await scene.expectStale(change) }
    },
    Self("a clock that jumped ahead is believed once its operator has confirmed it") { scene in
      let (alice, bob, claim) = (try Person(1), try Person(2), try scene.claim(1))
      try await scene.mint(1_000_000, to: alice)
      try await scene.lock(claim, from: alice)
      scene.clock.jump(by: twoDays)
      #expect(try await scene.store.currentTime().warning != nil)
      #expect(try await scene.store.confirmClock() == StoreTime(now: scene.clock.now, clock: scene.clock.now))
      await expectRefusal(.expired) { try await scene.take(claim, for: bob) }
      _ = try await scene.vault.refund(claim.id)
      #expect(try await scene.store.currentTime().warning == nil)
    },
    Self("a clock walks no further ahead in small steps than in one") { scene in
      try await scene.mint(1, to: Person(1))
      let start = scene.clock.now
      for _ in 0..<10 {
        scene.clock.jump(by: 100)
        try await scene.store.keepTime()
        try await scene.mint(1, to: Person(1))
      }
      #expect(try await scene.store.currentTime() == StoreTime(now: start + 300, clock: start + 1000))
      scene.clock.jump(by: -1000)
      scene.clock.advance(by: 301)
      #expect(try await scene.store.currentTime() == StoreTime(now: start + 301, clock: start + 301))
    },
  ]
}
