import BumpClaims
import BumpStore
import BumpVaultAPI
import BumpWallet

extension OutgoingFunding {
  /// Waits until the claim is claimed or refunded, or has expired, and records the vault's receipt.
  ///
  /// - Parameter onFailure: called with each `VaultFailure`, `FundingError` or `StoreError` for which the wait goes on: the
  ///   vault may cause them at will.
  /// - Returns: `.settled` with the receipt. Otherwise the claim has expired: `.claimed`, `.refunded` or `.unknown` if the
  ///   vault shows no receipt, another state if it says that nobody has claimed it. `nil` if the task was cancelled.
  public func settlement(onFailure: @escaping @Sendable (any Error) -> Void = { _ in }) async -> FundingState? {
    await settlement(onFailure: onFailure) { try? await Task.sleep(for: $0) }
  }

  /// Does the same.
  ///
  /// - Parameter pause: waits. It returns early if the task is cancelled.
  func settlement(
    onFailure: @escaping @Sendable (any Error) -> Void, pause: @escaping @Sendable (Duration) async -> Void
  ) async -> FundingState? {
    let left = max(0, claim.expiry.unixSeconds - now)
    let receipt = await withTaskGroup(of: SignedReceipt?.self) { group in
      group.addTask { await watched(onFailure, pause) }
      group.addTask {
        await pause(.seconds(left))
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
    if let receipt { return .settled(receipt) }
    if Task.isCancelled { return nil }
    // Its stream may have been interrupted, or the claim have been claimed at the last moment.
    guard let last = try? await vault.client.run(StatusSession(terms, at: vault.vault)) else { return nil }
    switch last {
    case .failure(let failure): return .unknown(failure)
    case .success(let answer):
      if let receipt = await recorded(answer.status, onFailure) { return .settled(receipt) }
      return FundingState(last, leaving: ExpiryMargin(seconds: 0), at: now)
    }
  }

  /// Watches the claim until the vault shows its receipt. Events are not signed: after one that says that the claim is
  /// final, without a receipt, the watch goes on.
  ///
  /// - Returns: `nil` if the task is cancelled.
  private func watched(
    _ onFailure: @escaping @Sendable (any Error) -> Void, _ pause: @Sendable (Duration) async -> Void
  ) async -> SignedReceipt? {
    var pauses = 0
    while let answer = await vault.client.watch(
      ClaimWatch(terms), tell: { step in if case .drop(let failure) = step { onFailure(failure) } })
    {
      if let receipt = await recorded(answer.status, onFailure) { return receipt }
      await pause(.seconds(min(60, 1 << min(pauses, 6))))
      pauses += 1
    }
    return nil
  }

  /// Records how the claim ended, or reports why that is not known. Does nothing for a claim that has not ended.
  private func recorded(_ status: ClaimStatus, _ onFailure: (any Error) -> Void) async -> SignedReceipt? {
    guard status == .claimed || status == .refunded else { return nil }
    do {
      if let receipt = try await record(status, within: VaultClient.limit) { return receipt }
      onFailure(
        FundingError(
          .noReceipt, "\(vault.url) says that claim \(id) was \(status.rawValue), and shows no receipt", claim: id,
          vault: vault.url))
    } catch {
      onFailure(error)
    }
    return nil
  }
}
