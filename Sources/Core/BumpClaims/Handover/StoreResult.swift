/// The result of storing a received claim. In each case the claim is in the store.
public enum StoreResult: Hashable, Sendable {
  /// The claim was not in the store before.
  case stored
  /// The same claim was in the store already. Nothing was changed.
  case duplicate
  /// The claim was not in the store before, but another claim with the same id was.
  case storedBesideAnother
}
