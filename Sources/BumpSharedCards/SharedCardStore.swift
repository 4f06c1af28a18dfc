/// Where shared cards are kept. It sees names, times and ciphertext, and no key.
public protocol SharedCardStore: Sendable {
  /// Keeps a card durably. A name is never given twice.
  func put(_ card: SharedCard) async throws(SharedCardError)

  /// Returns a card.
  ///
  /// - Parameter now: seconds since 1970, by the store's clock.
  /// - Throws: `absent` for a name that is unknown, and for a card that has expired, whether or not it was removed.
  func card(_ id: SharedCardID, at now: Int64) async throws(SharedCardError) -> SharedCard

  /// Removes the cards that have expired, and what is left of writes that were cut off. May be repeated, also by several
  /// at once.
  ///
  /// - Returns: how many were removed here.
  func removeExpired(at now: Int64) async throws(SharedCardError) -> Int
}
