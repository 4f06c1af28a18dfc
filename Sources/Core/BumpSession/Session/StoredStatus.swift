public import BumpClaims
public import BumpWire

extension StoreResult {
  /// The result in the receiver's store that STORED reports; `nil` if the claim is not in it.
  public init?(_ status: StoredStatus) {
    switch status {
    case .stored: self = .stored
    case .duplicate: self = .duplicate
    case .storedBesideAnother: self = .storedBesideAnother
    case .notStored, .invalid: return nil
    }
  }
}

extension StoredStatus {
  /// The status that STORED reports for a claim in the store.
  public init(_ result: StoreResult) {
    switch result {
    case .stored: self = .stored
    case .duplicate: self = .duplicate
    case .storedBesideAnother: self = .storedBesideAnother
    }
  }
}
