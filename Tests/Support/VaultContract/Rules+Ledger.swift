import BumpClaims
import BumpVault
import BumpWallet
import Testing

extension StoreRule {
  static let ledgerRules = [
    Self("batches are sealed in the journal's order, each chained to the one before") { scene in
      let (alice, bob) = (try Person(1), try Person(2))
      #expect(try await scene.store.seal(limit: 10) == nil)
      var sealed: [Bytes32] = []
      var previous = Batch.beginning
      for number in 1...4 as ClosedRange<UInt64> {
        try await scene.mint(3_000_000, to: alice)
        let claim = try scene.claim(number)
        try await scene.lock(claim, from: alice)
        try await scene.take(claim, for: bob)
        let batch = try #require(try await scene.store.seal(limit: number == 1 ? 2 : 100))
        #expect(batch.number == Int64(number) && batch.previous == previous)
        #expect(try await scene.store.batch(batch.number)?.batch == batch)
        previous = batch.hash
        sealed += batch.entries
        try await scene.expectSound()
      }
      #expect(sealed.count == 12 && Set(sealed).count == 12)
      for number in [0, 5] as [Int64] { #expect(try await scene.store.batch(number) == nil) }
      let alices = try await scene.store.history(of: alice.address, before: nil, limit: 100).map(\.entry.hash)
      #expect(Set(alices).isSubset(of: sealed))
    },
    Self("sealers at once seal each entry once") { scene in
      let alice = try Person(1)
      for id in 0..<40 as Range<UInt64> { try await scene.mint(1, to: alice, id: id) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<8 { group.addTask { for _ in 0..<4 { try await scene.store.seal(limit: 3) } } }
        try await group.waitForAll()
      }
      while try await scene.store.seal(limit: 3) != nil {}
      #expect(try await scene.vault.audit().entries == 40)
      #expect(try await scene.store.snapshot().unsealed.isEmpty)
    },
    Self("a history is read page by page, the latest first") { scene in
      let (alice, bob) = (try Person(1), try Person(2))
      for id in 0..<25 as Range<UInt64> {
        try await scene.mint(Int64(id) + 1, to: alice, id: id)
        try await scene.mint(100, to: bob, id: 1000 + id)
      }
      var amounts: [Int64] = []
      var last: Int64?
      repeat {
        let page = try await scene.store.history(of: alice.address, before: last, limit: 10)
        amounts += page.map(\.entry.amount.baseUnits)
        last = page.last?.number
      } while last != nil
      #expect(amounts == (1...25).reversed())
    },
    Self("balances are told by token, without those that are empty") { scene in
      let (alice, claim) = (try Person(1), try scene.claim(1))
      #expect(try await scene.store.balances(of: alice.address).isEmpty)
      try await scene.mint(1_000_000, to: alice)
      #expect(try await scene.store.balances(of: alice.address) == [scene.token: 1_000_000])
      try await scene.lock(claim, from: alice)
      #expect(try await scene.store.balances(of: alice.address).isEmpty)
    },
    Self("the vault is the one that was drawn") { scene in
      let identity = try await scene.store.identity()
      #expect(identity == scene.identity)
    },
  ]
}
