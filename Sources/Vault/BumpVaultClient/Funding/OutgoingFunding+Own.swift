import BumpClaims
import BumpStore
package import BumpWallet

/// A claim's money that a transaction of one's own gets back, without a vault's server.
extension OutgoingFunding {
  /// Returns the transactions that were recorded before.
  ///
  /// - Throws: `FundingError.settled` if the store has a receipt; `StoreError`.
  package func ownTransactions() async throws -> OwnTransactions {
    let before = try await recorded()
    if before?.status.isSettled == true { throw FundingError.settled(id, vault.url) }
    return OwnTransactions(before?.request)
  }

  /// Returns the wallet to which the amount is taken back before the claim expires: the one that locked it, whatever a
  /// node says.
  ///
  /// - Throws: `FundingError`, also where the owner's consent is missing, as `takeBack(evenIfHandedOver:)` has it;
  ///   `StoreError`.
  package func walletToTakeBackTo(evenIfHandedOver: Bool) async throws -> Address {
    let (wallet, funding) = try await senderWallet()
    let mayTakeBack = claim.state == .new || evenIfHandedOver && !claim.isInFlight
    guard funding.status == .takingBack || mayTakeBack else { throw handedOver(claim) }
    return wallet
  }

  /// Records a transaction before it is sent: a refund, or one that takes the amount back. From then on such a claim is
  /// not handed over any more.
  ///
  /// - Parameter evenIfHandedOver: the owner's consent to take the amount back; `nil` for a refund.
  /// - Throws: `FundingError`, `StoreError`. Then nothing is to be sent.
  package func begin(_ transaction: OwnTransactions.Transaction, takingBack evenIfHandedOver: Bool?) async throws {
    if let evenIfHandedOver {
      // The chain has the deposit whose answer was lost.
      if try await recorded()?.status == .asked { _ = try await note(.pending) }
      try await beginTakingBack(evenIfHandedOver: evenIfHandedOver)
    }
    let before = try await recorded()
    var own = OwnTransactions(before?.request)
    own.add(transaction)
    let record = try await next(before?.status == .takingBack ? .takingBack : .pending, request: own.text)
    guard try await store.replace(before, by: record, of: claim.claim, expiry: claim.expiry, .outgoing) else {
      throw FundingError.otherProcess(id, vault.url)
    }
  }
}
