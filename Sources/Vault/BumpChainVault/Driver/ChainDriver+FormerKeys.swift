import BumpChain
import BumpWallet

/// What becomes of calls whose relayer's key was replaced while their transactions were in no final block.
extension ChainDriver {
  /// Looks after the calls of keys that no server has any more: it takes the leases of those.
  func takeOver() async {
    let now = clock()
    guard mayUseKey, follower != nil, !isTakingOver else { return }
    guard tookOverLast == .min || now - tookOverLast >= Self.leaseRenewal else { return }
    (isTakingOver, tookOverLast) = (true, now)
    defer { isTakingOver = false }
    let life = life
    do {
      for other in try await store.relayers() where other != key.address {
        let answer = try await store.takeLease(of: other, holder: holder, seconds: Self.leaseSeconds)
        guard case .held(let lease) = answer else { continue }
        try await takeOver(lease, life)
        guard life == self.life else { return }
      }
    } catch let error as ChainStoreError where error.code == .leaseLost {
      // A server has that other key again, and its calls with it.
    } catch {
      failed(error, "the calls of a key that was replaced wait")
    }
  }

  private func takeOver(_ lease: ChainLease, _ life: Int) async throws {
    let entries = try await store.entries(of: lease.key)
    for entry in entries {
      guard life == self.life, let follower else { return }
      if let receipt = entry.receipt, receipt.blockNumber > follower.finalized,
        follower.headers.contains(where: { $0.hash == receipt.blockHash })
      {
        continue
      }
      guard let (receipts, count) = await receipts(of: entry.hashes, by: lease.key) else { continue }
      guard life == self.life, let follower = self.follower else { return }
      let (name, now) = (entry.latest.transaction.hash, clock())
      var call = former[name] ?? FormerCall(at: now)
      let step = call.looked(
        entry, receipts, finalCount: count, finalized: follower.finalized, at: now, configuration.outbox)
      former[name] = call
      try await take(step, lease)
      if step.isLast { former[name] = nil }
    }
    if entries.isEmpty { try await store.giveUp(lease) }
  }

  private func take(_ step: FormerCall.Step, _ lease: ChainLease) async throws {
    switch step {
    case .wait: return
    case .send(let transaction): _ = await nodes.send(transaction)
    case .store(let entry): try await store.write(entry, lease)
    case .finish(let entry, let receipt): try await store.finish(entry, receipt, lease)
    case .handOver(let entry, let mayBeCarried):
      try await store.handOver(entry, mayBeCarried: mayBeCarried, lease)
      report(
        ChainReport(.warning, "a call of the key \(lease.key), which no server has, is sent with this server's key"))
    }
    wake()
  }
}
