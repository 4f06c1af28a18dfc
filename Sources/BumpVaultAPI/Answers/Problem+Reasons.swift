public import BumpVault

extension Problem {
  /// A refusal of the vault's. Each has the kind of its own name.
  ///
  /// - Parameter now: seconds since 1970.
  public init(_ refusal: VaultRefusal, at now: Int64) {
    let kind = Kind.refusals.first { $0.name == refusal.code.description } ?? .internalError
    let wait: Int64? =
      switch refusal.code {
      case .busy: 1
      // Somebody has to claim or refund first: nobody knows when.
      case .tooManyPending: 60
      case .tooManyDeposits: refusal.notBefore.map { $0 - now }
      default: nil
      }
    self.init(
      kind, refusal.reason, remedy: refusal.remedy, notBefore: refusal.notBefore, retryAfter: wait,
      receipt: refusal.receipt)
  }

  /// A request whose body cannot be taken.
  public init(_ error: RequestError) {
    let kinds: [RequestError.Code: Kind] = [
      .tooLarge: .tooLarge, .malformed: .malformed, .duplicateField: .duplicateField, .unknownField: .unknownField,
      .missingField: .missingField, .float: .float, .field: .badField,
    ]
    self.init(kinds[error.code] ?? .malformed, error.reason, remedy: error.remedy, field: error.field)
  }

  /// A failure of the store. What is wrong with it is for the log of whoever runs the vault, not for its clients.
  public init(_ error: VaultStoreError) {
    switch error.code {
    case .failed, .outcomeUnknown:
      self.init(
        .unavailable, "the vault cannot say whether the request was carried out",
        remedy: "Repeat it: nothing is done twice", retryAfter: 1)
    default:
      self.init(
        .internalError, "the vault's store cannot be used", remedy: "Tell whoever runs the vault")
    }
  }
}
