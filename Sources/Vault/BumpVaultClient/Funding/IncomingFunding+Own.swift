import BumpClaims
import BumpStore
import BumpVaultAPI
import BumpWallet

/// A payout that a transaction of one's own carries, without a vault's server.
extension IncomingFunding {
  /// Returns the transactions that were recorded before.
  ///
  /// - Throws: `FundingError.settled` if the store has a receipt; `StoreError`.
  package func ownTransactions() async throws -> OwnTransactions {
    let before = try await recorded()
    if before?.status.isSettled == true { throw FundingError.settled(id, vault.url) }
    return OwnTransactions(before?.request)
  }

  /// Records a transaction before it is sent. The claim counts as asked for from then on, wherever that is asked.
  ///
  /// - Throws: `FundingError.otherProcess` if the store has another record meanwhile; `StoreError`. Then nothing is to be
  ///   sent.
  package func begin(_ transaction: OwnTransactions.Transaction) async throws -> OwnRecord {
    let before = try await recorded()
    var own = OwnTransactions(before?.request)
    own.add(transaction)
    let account = transaction.receiver?.description
    let funding = Funding(
      vault: vault.url.description, ledgerID: terms.ledgerID.description, status: .asked, account: account,
      request: own.text, transaction: transaction.hash.description,
      heldAt: before?.account == account ? before?.heldAt : nil, updatedAt: now)
    guard try await store.replace(before, by: funding, of: claim, expiry: expiry, .incoming) else {
      throw FundingError.otherProcess(id, vault.url)
    }
    return OwnRecord(written: funding, before: before)
  }

  /// Takes back the record of a transaction of which certainly no byte was sent.
  ///
  /// - Throws: `StoreError`.
  package func withdraw(_ record: OwnRecord) async throws {
    try await store.takeBack(record.written, to: record.before, of: claim, expiry: expiry, .incoming)
  }
}
