import BumpChain
import BumpWallet
import Testing

extension ChainRule {
  static let claimRules = [
    ChainRule("an id has one claim, and a claim one id, until the draft lapses") { scene, _ in
      let (store, now) = (scene.store, ChainScene.time)
      let draft = try ChainScene.draft(1)
      let first = try await store.add(draft, lapsingBefore: now)
      #expect(first?.draft == draft && first?.ledgerID == draft.terms.ledgerID)
      let later = ChainDraft(claimID: draft.claimID, terms: draft.terms, since: now + 5)
      #expect(try await store.add(later, lapsingBefore: now)?.draft == draft)
      let other = ChainDraft(claimID: draft.claimID, terms: ChainScene.terms(2), since: now)
      #expect(try await store.add(other, lapsingBefore: now) == nil)
      let alias = ChainDraft(claimID: try ChainScene.claimID(2), terms: draft.terms, since: now)
      #expect(try await store.add(alias, lapsingBefore: now) == nil)
      #expect(try await store.add(other, lapsingBefore: now + 1)?.draft == other)
      #expect(try await store.claim(ledgerID: draft.terms.ledgerID) == nil)
    },
    ChainRule("a draft lapses unless its amount was locked, or a request is open") { scene, _ in
      let (store, now) = (scene.store, ChainScene.time)
      for number in 1...4 { _ = try await store.add(ChainScene.draft(number), lapsingBefore: 0) }
      try await scene.advance(from: 0, to: 1, [1: [ChainScene.created(1)]])
      for number in 2...3 { _ = try await store.ask(ChainScene.deposit(number), at: now, replacing: nil, nil) }
      try await store.drop(ChainScene.deposit(3), scene.lease)
      #expect(try await store.removeLapsed(before: now) == 0)
      // Two drafts, and the request that was dropped.
      #expect(try await store.removeLapsed(before: now + 1) == 3)
      #expect(try await store.claim(ChainScene.claimID(1)) != nil)
      #expect(try await store.claim(ChainScene.claimID(2)) != nil)
      #expect(try await store.claim(ChainScene.claimID(3)) == nil)
      #expect(try await store.claim(ChainScene.claimID(4)) == nil)
    },
    ChainRule("a draft whose deposit was taken back lapses from that block's time on") { scene, _ in
      _ = try await scene.store.add(ChainScene.draft(1), lapsingBefore: 0)
      try await scene.advance(from: 0, to: 11, [11: [ChainScene.created(1)]])
      try await scene.advance(from: 10, to: 11, on: "b", takingBack: 1)
      #expect(try await scene.store.removeLapsed(before: ChainScene.time + 20) == 0)
      #expect(try await scene.store.claim(ChainScene.claimID(1))?.draft?.since == ChainScene.time + 20)
      #expect(try await scene.store.removeLapsed(before: ChainScene.time + 21) == 1)
    },
  ]
}
