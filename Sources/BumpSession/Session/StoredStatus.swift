public import BumpClaims
public import BumpWire

extension StoreResult {
  /// What a receiver's STORED says of its store; `nil` where the claim is not in it.
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
  /// What STORED says of a claim that is in the store.
  public init(_ result: StoreResult) {
    switch result {
    case .stored: self = .stored
    case .duplicate: self = .duplicate
    case .storedBesideAnother: self = .storedBesideAnother
    }
  }
}
