import BumpChain
import BumpWallet

extension ChainDriver {
  /// Does what the outbox wants, each nonce in its order and beside all others.
  func perform(_ effects: [Outbox.Effect]) {
    for effect in effects {
      let nonce = effect.nonce
      // One look that waits is as good as several.
      if case .look = effect, queues[nonce, default: []].contains(where: \.isLook) { continue }
      queues[nonce, default: []].append(effect)
      work(on: nonce)
    }
  }

  private func work(on nonce: UInt64) {
    guard working.insert(nonce).inserted else { return }
    let life = life
    begin { await self.work(nonce, life) }
  }

  private func work(_ nonce: UInt64, _ life: Int) async {
    while life == self.life, let effect = queues[nonce]?.first {
      do {
        let more = try await carryOut(effect, life)
        guard life == self.life else { return }
        queues[nonce]?.removeFirst()
        queues[nonce, default: []] += more
      } catch {
        guard life == self.life else { return }
        // It stays the first, and is tried again with the next tick.
        working.remove(nonce)
        return failed(error, "a call is held up")
      }
    }
    guard life == self.life else { return }
    working.remove(nonce)
    queues[nonce] = nil
  }

  private func carryOut(_ effect: Outbox.Effect, _ life: Int) async throws -> [Outbox.Effect] {
    guard let lease = held?.lease else { return [] }
    switch effect {
    case .store(let entry):
      try await store.write(entry, lease)
      guard life == self.life else { return [] }
      wake()
      return outbox?.stored(entry, at: clock()) ?? []
    case .send(let transaction, let nonce):
      guard mayUseKey else { throw ChainError(.leaseLost, "the lease of the relayer's key has run out") }
      let answer = await nodes.send(transaction)
      guard life == self.life else { return [] }
      return outbox?.answered(transaction.hash, answer, nonce: nonce) ?? []
    case .look(let hashes, let nonce): return try await look(hashes, nonce, life)
    case .mined(let entry, let receipt):
      if !receipt.isSuccessful { report(ChainReport(.warning, "a call was reverted, and cost its gas")) }
      try await store.write(entry, lease)
      wake()
    case .finish(let entry, let receipt):
      try await store.finish(entry, receipt, lease)
      wake()
    case .lose(let entry):
      report(
        ChainReport(.error, "another program uses the relayer's key: it has used the nonce \(entry.nonce)"))
      try await store.finish(entry, nil, lease)
      wake()
    }
    return []
  }

  /// Asks one node for the receipts of a nonce's transactions.
  private func look(_ hashes: [Bytes32], _ nonce: UInt64, _ life: Int) async throws -> [Outbox.Effect] {
    guard let (receipts, count) = await receipts(of: hashes, by: key.address) else { return [] }
    guard life == self.life, let follower, let lease = held?.lease else { return [] }
    let before = outbox?.entry(nonce)?.receipt
    let effects =
      outbox?.looked(nonce, receipts, finalCount: count, finalized: follower.finalized, at: clock()) ?? []
    if before != nil, let entry = outbox?.entry(nonce), entry.receipt == nil {
      try await store.write(entry, lease)
      guard life == self.life else { return [] }
    }
    return effects
  }

  /// Asks one node for the receipts of transactions, and for the number of an account's final ones.
  ///
  /// - Returns: `nil` if nothing is known that agrees with the index. Look again.
  func receipts(of hashes: [Bytes32], by account: Address) async -> ([TransactionReceipt], finalCount: UInt64?)? {
    var (receipts, count): ([TransactionReceipt], UInt64?) = ([], nil)
    do {
      let place = try await nodes.choose()
      for hash in hashes {
        if let receipt = try await nodes.receipt(of: hash, at: place) { receipts.append(receipt) }
      }
      count = try await nodes.transactionCount(of: account, upTo: .finalized, at: place)
    } catch {
      if receipts.isEmpty { return nil }
    }
    guard let follower else { return nil }
    // A receipt of a block that is not of the chain that is followed says nothing, and neither does that node's count.
    let isOther = receipts.contains { receipt in
      follower.headers.contains { $0.number == receipt.blockNumber && $0.hash != receipt.blockHash }
    }
    if isOther { return nil }
    // A receipt beyond the index is believed once the index has its block.
    if receipts.contains(where: { $0.blockNumber > follower.tip.number }) { return nil }
    return (receipts, count)
  }

  /// Does what is due at this time, and what failed before.
  func raise() async {
    guard mayUseKey, outbox != nil else { return }
    for nonce in queues.keys { work(on: nonce) }
    let (life, now) = (life, clock())
    // What the outbox would raise, by a copy: the answer whether it is paid for must be durable before.
    var wanted: [(OutboxEntry, UInt128)] = []
    var trial = outbox
    _ = trial?.tick(now, market: market) { entry, cost in
      wanted.append((entry, cost))
      return false
    }
    var granted: [UInt64: UInt128] = [:]
    for (entry, cost) in wanted {
      if await isPaidFor(entry, cost, now) { granted[entry.nonce] = cost }
    }
    guard life == self.life, mayUseKey else { return }
    perform(
      outbox?.tick(now, market: market) { entry, cost in granted[entry.nonce].map { cost <= $0 } ?? false } ?? [])
  }

  private func isPaidFor(_ entry: OutboxEntry, _ cost: UInt128, _ now: Int64) async -> Bool {
    do {
      guard
        let ledgerID = entry.call.ledgerID, let row = try await store.claim(ledgerID: ledgerID),
        let request = row.requests[entry.call.kind]?.request, let person = request.person(row)
      else { return false }
      let sponsorship = Sponsorship(
        cost.adding(configuration.dataFee), of: person, under: configuration.sponsoring, at: now)
      return try await store.reserve(sponsorship, for: entry.call.id, entry.call.kind) == nil
    } catch {
      failed(error, "a replacement's cost is not reserved")
      return false
    }
  }
}

extension Outbox.Effect {
  /// The nonce that the effect is about.
  fileprivate var nonce: UInt64 {
    switch self {
    case .store(let entry), .mined(let entry, _), .finish(let entry, _), .lose(let entry): entry.nonce
    case .send(_, let nonce), .look(_, let nonce): nonce
    }
  }

  fileprivate var isLook: Bool { if case .look = self { true } else { false } }
}
