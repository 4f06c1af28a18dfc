public import BumpClaims
public import BumpWallet

/// The name by which a client asks for a claim.
///
/// The claim's id is chosen by the client that drafts the claim, and the deposit's authorization does not contain it.
/// The ledger id follows from the terms: it names the money, under whatever id it was deposited.
public enum ClaimName: Hashable, Sendable, CustomStringConvertible {
  /// The claim's id, by which drafts can be named too.
  case claimID(ClaimID)
  /// The ledger id of a claim whose amount is or was locked. Drafts cannot be named by it: several may have the same
  /// terms.
  case ledgerID(Bytes32)

  public var description: String {
    switch self {
    case .claimID(let id): id.description
    case .ledgerID(let id): id.description
    }
  }
}
