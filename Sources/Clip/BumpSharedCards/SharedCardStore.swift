/// A store of shared cards. It sees names, expiry times and ciphertext, but no key.
public protocol SharedCardStore: Sendable {
  /// Stores a card durably. Fails if the store has a card of that name.
  func put(_ card: SharedCard) async throws(SharedCardError)

  /// Returns a card.
  ///
  /// - Parameter now: the time in seconds since 1970, by the store's clock.
  /// - Throws: `absent` for a name that is unknown, and for a card that has expired, whether or not it was removed.
  func card(_ id: SharedCardID, at now: Int64) async throws(SharedCardError) -> SharedCard

  /// Removes the cards that have expired, and the leftovers of interrupted writes. It may be repeated, also by several
  /// processes at the same time.
  ///
  /// - Returns: how many this call removed.
  func removeExpired(at now: Int64) async throws(SharedCardError) -> Int
}

extension SharedCardStore {
  /// Stores a card durably, and removes the cards that have expired, which were not given out any more.
  ///
  /// - Returns: why the removal failed, which does not keep the card from being shared; `nil` if it did not fail.
  public func share(_ card: SharedCard, at now: Int64) async throws(SharedCardError) -> SharedCardError? {
    // The expired ones first: the new card may need their space.
    var failure: SharedCardError?
    do throws(SharedCardError) {
      _ = try await removeExpired(at: now)
    } catch {
      failure = error
    }
    try await put(card)
    return failure
  }
}
