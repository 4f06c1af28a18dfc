import BumpChain
import BumpWallet
import Testing

extension ChainRule {
  static let indexRules = [
    ChainRule("a reorganization takes back what was above the common block") { scene, _ in
      let store = scene.store
      _ = try await store.add(ChainScene.draft(1), lapsingBefore: 0)
      try await scene.advance(from: 0, to: 10, [9: [ChainScene.created(2)]])
      try await scene.advance(from: 10, to: 12, [11: [ChainScene.created(1)], 12: [ChainScene.claimed(1)]])
      let before = try #require(try await store.claim(ChainScene.claimID(1)))
      #expect(before.created?.block == 11 && before.created?.blockHash == ChainScene.header(11).hash)
      #expect(before.settled?.transaction == ChainScene.claimed(1).transaction)
      try await scene.advance(from: 10, to: 13, [13: [ChainScene.created(1)]], on: "b", takingBack: 2)
      let after = try #require(try await store.claim(ChainScene.claimID(1)))
      #expect(after.created?.blockHash == ChainScene.header(13, "b").hash && after.settled == nil)
      #expect(try await store.claim(ledgerID: ChainScene.terms(2).ledgerID)?.created?.block == 9)
      let index = try #require(try await store.index())
      #expect(index.headers == (0...10).map { ChainScene.header($0) } + (11...13).map { ChainScene.header($0, "b") })
    },
    ChainRule("a step that was taken is not taken twice, and one that does not fit is refused") { scene, _ in
      let bad = ChainStoreError(.badStep, "")
      try await scene.advance(from: 0, to: 2, [1: [ChainScene.created(1)]])
      let revision = try await scene.store.height()?.revision
      try await scene.advance(from: 0, to: 2, [1: [ChainScene.created(1)]])
      #expect(try await scene.store.height()?.revision == revision)
      await #expect(throws: bad) { try await scene.advance(from: 5, to: 6) }
      await #expect(throws: bad) { try await scene.advance(from: 2, to: 3, [3: [ChainScene.created(1)]]) }
      await #expect(throws: bad) { try await scene.advance(from: 2, to: 3, [3: [ChainScene.claimed(2)]]) }
      await #expect(throws: bad) {
        try await scene.advance(from: 2, to: 3, [3: [ChainScene.claimed(1), ChainScene.refunded(1)]])
      }
      #expect(try await scene.store.claim(ledgerID: ChainScene.terms(1).ledgerID)?.settled == nil)
      #expect(try await scene.store.height()?.tip == ChainScene.header(2))
    },
    ChainRule("a final block is never taken back, and the final height only moves on") { scene, _ in
      try await scene.advance(from: 0, to: 12)
      try await scene.store.finalize(upTo: 11, scene.lease)
      try await scene.store.finalize(upTo: 3, scene.lease)
      #expect(try await scene.store.height()?.finalized == 11)
      await #expect(throws: ChainStoreError(.badStep, "")) {
        try await scene.advance(from: 10, to: 13, on: "b", takingBack: 2)
      }
      try await scene.store.finalize(upTo: 99, scene.lease)
      #expect(try await scene.store.height()?.finalized == 12)
    },
    ChainRule("the headers are kept that a step says, and a branch may begin at the oldest") { scene, _ in
      try await scene.advance(from: 0, to: 300)
      try await scene.advance(from: 300, to: 364, keepingFrom: 10)
      let headers = try #require(try await scene.store.index()).headers
      #expect(headers.map(\.number) == Array(10...364))
      try await scene.advance(from: 10, to: 365, on: "b", takingBack: 354, keepingFrom: 10)
      let index = try #require(try await scene.store.index())
      #expect(index.headers.map(\.hash) == (10...365).map { ChainScene.header($0, "b").hash })
    },
    ChainRule("what is above a block is read alone, with its events in their order") { scene, _ in
      try await scene.advance(
        from: 0, to: 12, [9: [ChainScene.created(2)], 11: [ChainScene.created(1), ChainScene.claimed(1)]])
      try await scene.store.finalize(upTo: 8, scene.lease)
      let height = try #require(try await scene.store.height())
      let above = try #require(try await scene.store.blocks(above: 10))
      #expect(above.parent == ChainScene.header(10))
      #expect(above.blocks.map(\.header) == [ChainScene.header(11), ChainScene.header(12)])
      #expect(above.blocks.map(\.events) == [[ChainScene.created(1), ChainScene.claimed(1)], []])
      #expect(above.finalized == 8 && above.revision == height.revision)
      #expect(try await scene.store.blocks(above: 12)?.blocks == [])
      #expect(try await scene.store.blocks(above: 13) == nil)
      #expect(try await scene.store.blocks(above: .max) == nil)
    },
    ChainRule("an index that begins anew has no events, and keeps drafts") { scene, _ in
      _ = try await scene.store.add(ChainScene.draft(1), lapsingBefore: 0)
      try await scene.advance(from: 0, to: 1, [1: [ChainScene.created(2)]])
      try await scene.store.begin(behind: ChainScene.header(5), scene.lease)
      #expect(try await scene.store.claim(ledgerID: ChainScene.terms(2).ledgerID) == nil)
      #expect(try await scene.store.claim(ChainScene.claimID(1)) != nil)
      #expect(try await scene.store.index() == ChainIndex(headers: [ChainScene.header(5)], finalized: 5))
    },
    ChainRule("an account has its deposits, payments and refunds, the latest first") { scene, _ in
      try await scene.advance(
        from: 0, to: 3,
        [
          1: [ChainScene.created(1), ChainScene.created(2)], 2: [ChainScene.claimed(1)], 3: [ChainScene.refunded(2)],
        ])
      let all = try await scene.store.history(of: ChainScene.alice, before: nil, limit: 10)
      #expect(all.map(\.event.block) == [3, 1, 1] && all.map(\.event.position) == [0, 1, 0])
      #expect(all[0].created == all[1].event)
      let page = try await scene.store.history(of: ChainScene.alice, before: all[0].event.number, limit: 1)
      #expect(page == [all[1]])
      let paid = try await scene.store.history(of: ChainScene.bob, before: nil, limit: 10)
      #expect(paid.map(\.event.transaction) == [ChainScene.claimed(1).transaction])
      #expect(paid[0].created == all[2].event)
    },
  ]
}
