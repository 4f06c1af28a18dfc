public import BumpClaims
public import BumpWallet

/// What a claim is asked for by.
///
/// The claim's id is chosen by whoever drafts it, and the deposit's authorization does not contain it. The ledger id follows
/// from the terms: it names the money, whatever id it was deposited under.
public enum ClaimName: Hashable, Sendable, CustomStringConvertible {
  case claimID(ClaimID)
  /// Of a claim whose amount is or was locked. Drafts have none of their own: several may have the same terms.
  case ledgerID(Bytes32)

  public var description: String {
    switch self {
    case .claimID(let id): id.description
    case .ledgerID(let id): id.description
    }
  }
}
