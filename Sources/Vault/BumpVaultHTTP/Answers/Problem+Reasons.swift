public import BumpVault
public import BumpVaultAPI

extension Problem {
  /// Makes the problem for a vault's refusal. Its kind has the same name as the refusal's code.
  ///
  /// - Parameter now: the time in seconds since 1970.
  public init(_ refusal: VaultRefusal, at now: Int64) {
    let kind = (Kind.refusals + Kind.chain).first { $0.name == refusal.code.description } ?? .internalError
    let wait: Int64? =
      switch refusal.code {
      case .busy: 1
      // It is unknown when one of the claims will be claimed or refunded.
      case .tooManyPending: 60
      case .tooManyDeposits, .sponsoringExhausted: refusal.notBefore.map { $0 - now }
      case .chainUnreachable: refusal.retryAfter ?? 1
      default: nil
      }
    self.init(
      kind, refusal.reason, remedy: refusal.remedy, notBefore: refusal.notBefore, retryAfter: wait,
      receipt: refusal.receipt, calldata: refusal.calldata)
  }

  /// Makes the problem for a request body that is not valid.
  public init(_ error: RequestError) {
    let kinds: [RequestError.Code: Kind] = [
      .tooLarge: .tooLarge, .malformed: .malformed, .duplicateField: .duplicateField, .unknownField: .unknownField,
      .missingField: .missingField, .float: .float, .field: .badField,
    ]
    self.init(kinds[error.code] ?? .malformed, error.reason, remedy: error.remedy, field: error.field)
  }

  /// Makes the problem for a failure of the store. The details are for the operator's log, not for clients.
  public init(_ error: VaultStoreError) {
    switch error.code {
    case .failed:
      self.init(
        .unavailable, "the vault cannot say whether the request was carried out",
        remedy: "Repeat it: nothing is done twice", retryAfter: 1)
    default:
      self.init(
        .internalError, "the vault's store cannot be used", remedy: "Tell the vault's operator")
    }
  }
}
