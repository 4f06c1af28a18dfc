/// What became of storing a claim that came. Whichever it is, the claim is in the store.
public enum StoreResult: Hashable, Sendable {
  /// The claim was not in the store, and is now.
  case stored
  /// The very claim was in the store already. Nothing was changed.
  case duplicate
  /// The claim was not in the store, and is now, beside another claim with its id.
  case storedBesideAnother
}
