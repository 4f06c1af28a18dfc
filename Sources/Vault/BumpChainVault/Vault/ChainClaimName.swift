import BumpClaims
import BumpWallet

/// The ids of claims whose amount was locked without a draft: the 64 hex digits of the ledger id.
enum ChainClaimName {
  /// Returns the id for a claim of a ledger id.
  static func of(_ ledgerID: Bytes32) -> ClaimID {
    guard let id = try? ClaimID(ledgerID.description.dropFirst(2)) else { preconditionFailure("64 digits are an id") }
    return id
  }

  /// Returns the ledger id that an id is made of; `nil` for any other id.
  static func ledgerID(of id: ClaimID) -> Bytes32? {
    guard let ledgerID = try? Bytes32("0x" + id.description), of(ledgerID) == id else { return nil }
    return ledgerID
  }
}
