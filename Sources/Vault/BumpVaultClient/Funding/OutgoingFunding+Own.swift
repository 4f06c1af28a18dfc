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
  /// Taking back is two writes. A crash between them leaves a claim that is being taken back, as its owner wants, and no
  /// transaction, which is not sent before the second write.
  ///
  /// - Parameter evenIfHandedOver: the owner's consent to take the amount back; `nil` for a refund.
  /// - Throws: `FundingError`, `StoreError`. Then nothing is to be sent.
  package func begin(
    _ transaction: OwnTransactions.Transaction, takingBack evenIfHandedOver: Bool?
  ) async throws -> OwnRecord {
    if let evenIfHandedOver {
      // The chain has the deposit, though its answer may have been lost.
      try await beginTakingBack(evenIfHandedOver: evenIfHandedOver, isLocked: true)
    }
    let before = try await recorded()
    var own = OwnTransactions(before?.request)
    own.add(transaction)
    let record = try await next(before?.status == .takingBack ? .takingBack : .pending, request: own.text)
    guard try await store.replace(before, by: record, of: claim.claim, expiry: claim.expiry, .outgoing) else {
      throw FundingError.otherProcess(id, vault.url)
    }
    return OwnRecord(written: record, before: before)
  }

  /// Takes back the record of a transaction of which certainly no byte was sent. A claim that is being taken back stays so.
  ///
  /// - Throws: `StoreError`.
  package func withdraw(_ record: OwnRecord) async throws {
    try await store.takeBack(record.written, to: record.before, of: claim.claim, expiry: claim.expiry, .outgoing)
  }
}
