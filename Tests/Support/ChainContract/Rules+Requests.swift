import BumpChain
import BumpWallet
import Testing

extension ChainRule {
  static let requestRules = [
    ChainRule("a claim has one request of a kind, and only the one that is known is replaced") { scene, _ in
      let (store, now) = (scene.store, ChainScene.time)
      let (first, second) = (ChainScene.deposit(1), ChainScene.deposit(1, validBefore: now + 700))
      let row = ChainRequestRow(request: first, state: .waiting, asked: now)
      #expect(try await store.ask(first, at: now, replacing: nil, nil) == .standing(row))
      #expect(try await store.ask(second, at: now, replacing: nil, nil) == .standing(row))
      try await store.drop(first, scene.lease)
      let dropped = ChainRequestRow(request: first, state: .dropped, asked: now)
      #expect(try await store.ask(second, at: now, replacing: row, nil) == .standing(dropped))
      let new = ChainRequestRow(request: second, state: .waiting, asked: now + 1)
      #expect(try await store.ask(second, at: now + 1, replacing: dropped, nil) == .standing(new))
      #expect(try await store.waiting(limit: 10) == [new])
    },
    ChainRule("an entry is stored with every transaction, and its request follows it") { scene, maker in
      let (store, request) = (scene.store, ChainScene.deposit(1))
      _ = try await store.ask(request, at: ChainScene.time, replacing: nil, nil)
      let entry = try scene.entry(request, nonce: 3)
      try await store.write(entry, scene.lease)
      try await store.write(entry, scene.lease)
      let other = try await maker.make(ChainScene.vault, scene.clock)
      #expect(try await other.entries(of: scene.key.address).map(\.hashes) == [entry.hashes])
      #expect(try await other.waiting(limit: 10) == [])
      #expect(try await state(of: request, in: other) == .submitted(entry.latest.transaction.hash))
      let receipt = scene.receipt(entry, block: 7, isSuccessful: false)
      try await store.finish(entry, receipt, scene.lease)
      #expect(try await state(of: request, in: other) == .mined(receipt.transaction, block: 7, isSuccessful: false))
      #expect(try await other.entries(of: scene.key.address) == [])
    },
    ChainRule("an entry whose nonce another program has used is dropped") { scene, _ in
      let request = ChainScene.deposit(1)
      _ = try await scene.store.ask(request, at: ChainScene.time, replacing: nil, nil)
      let entry = try scene.entry(request, nonce: 0)
      try await scene.store.write(entry, scene.lease)
      try await scene.store.finish(entry, nil, scene.lease)
      #expect(try await scene.store.claim(ledgerID: request.ledgerID)?.requests[.deposit]?.state == .dropped)
    },
    ChainRule("a transaction that was stored is not forgotten") { scene, _ in
      let entry = try scene.entry(ChainScene.deposit(1), nonce: 0)
      let raised = try scene.entry(ChainScene.deposit(1), nonce: 0, Fees(maximum: 20, priority: 2))
      try await scene.store.write(entry, scene.lease)
      try await scene.store.write(raised, scene.lease)
      let stored = try await scene.store.entries(of: scene.key.address)
      #expect(stored.map(\.hashes) == [entry.hashes + raised.hashes])
    },
    ChainRule("an entry that is handed over is gone, and its request waits for a relayer") { scene, _ in
      let request = ChainScene.deposit(1)
      _ = try await scene.store.ask(request, at: ChainScene.time, replacing: nil, nil)
      let entry = try scene.entry(request, nonce: 0)
      try await scene.store.write(entry, scene.lease)
      #expect(try await scene.store.relayers() == [scene.key.address])
      try await scene.store.handOver(entry, mayBeCarried: false, scene.lease)
      #expect(try await scene.store.relayers() == [])
      #expect(try await scene.store.waiting(limit: 10).map(\.request) == [request])
      // Another key carries it meanwhile: a repeat changes nothing.
      let other = ChainLease(key: ChainScene.bob, holder: ChainScene.second, fence: 1)
      _ = try await scene.store.takeLease(of: other.key, holder: other.holder, seconds: 60)
      try await scene.store.write(entry, other)
      try await scene.store.handOver(entry, mayBeCarried: false, scene.lease)
      #expect(try await scene.store.relayers() == [ChainScene.bob])
      #expect(try await scene.store.waiting(limit: 10) == [])
    },
    ChainRule("a nonce has one call") { scene, _ in
      try await scene.store.write(scene.entry(ChainScene.deposit(1), nonce: 0), scene.lease)
      let other = try scene.entry(ChainScene.deposit(2), nonce: 0)
      await #expect(throws: ChainStoreError(.failed, "")) { try await scene.store.write(other, scene.lease) }
      #expect(try await scene.store.entries(of: scene.key.address).map(\.call.id) != [other.call.id])
    },
  ]

  static let sponsoringRules = [
    ChainRule("what is reserved counts until it is settled, also for another server") { scene, maker in
      let (now, request) = (ChainScene.time, ChainScene.deposit(1))
      let policy = SponsoringPolicy(perPerson: [.init(.day, amount: 3_000_000)])
      func sponsorship(_ amount: UInt128) -> Sponsorship {
        Sponsorship(amount, of: ChainScene.alice, under: policy, at: now)
      }
      _ = try await scene.store.ask(request, at: now, replacing: nil, sponsorship(2_000_000))
      _ = try await scene.store.ask(request, at: now, replacing: nil, sponsorship(2_000_000))
      let other = try await maker.make(ChainScene.vault, scene.clock)
      #expect(try await aliceSpent(other) == 2_000_000)
      let refused = try await other.ask(ChainScene.deposit(2), at: now, replacing: nil, sponsorship(2_000_000))
      #expect(refused == .refused(.personalLimit(CalendarInterval.day.end(after: now))))
      #expect(try await other.claim(ledgerID: ChainScene.terms(2).ledgerID) == nil)
      let entry = try scene.entry(request, nonce: 0)
      #expect(try await scene.store.reserve(sponsorship(2_500_000), for: entry.call.id, .deposit) == nil)
      try await scene.store.write(entry, scene.lease)
      #expect(try await aliceSpent(other) == 2_500_000)
      try await scene.store.finish(entry, scene.receipt(entry, block: 1, isSuccessful: false), scene.lease)
      try await scene.store.finish(entry, scene.receipt(entry, block: 1, isSuccessful: false), scene.lease)
      #expect(try await aliceSpent(other) == 750_000)
      #expect(try await other.usage(of: nil, at: now)[.ever]?.count == 1)
    },
    ChainRule("what a call that is handed over may have cost counts, unless it is never carried") { scene, _ in
      let now = ChainScene.time
      for (number, mayBeCarried, spent) in [(1, false, 1000), (2, true, 3000)] as [(Int, Bool, UInt128)] {
        let request = ChainScene.deposit(number)
        let sponsorship = Sponsorship(1000, of: ChainScene.alice, under: SponsoringPolicy(), at: now)
        _ = try await scene.store.ask(request, at: now, replacing: nil, sponsorship)
        let entry = try scene.entry(request, nonce: UInt64(number))
        try await scene.store.write(entry, scene.lease)
        try await scene.store.handOver(entry, mayBeCarried: mayBeCarried, scene.lease)
        #expect(try await scene.store.reserve(sponsorship, for: entry.call.id, .deposit) == nil)
        #expect(try await aliceSpent(scene.store) == spent)
      }
    },
    ChainRule("what is reserved for a dropped request is free again") { scene, _ in
      let (now, request) = (ChainScene.time, ChainScene.deposit(1))
      let sponsorship = Sponsorship(1000, of: ChainScene.alice, under: SponsoringPolicy(), at: now)
      _ = try await scene.store.ask(request, at: now, replacing: nil, sponsorship)
      try await scene.store.drop(request, scene.lease)
      let usage = try await scene.store.usage(of: ChainScene.alice, at: now)[.day]
      #expect(usage?.amount == 0 && usage?.count == 0)
    },
  ]
}

private func state(of request: ChainRequest, in store: any ChainStore) async throws -> ChainRequestRow.State? {
  try await store.claim(ledgerID: request.ledgerID)?.requests[request.kind]?.state
}

/// What was spent for Alice on the day of the scene.
private func aliceSpent(_ store: any ChainStore) async throws -> UInt128? {
  try await store.usage(of: ChainScene.alice, at: ChainScene.time)[.day]?.amount
}
