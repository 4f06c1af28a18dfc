import BumpClaims
import BumpKit

/// What is said of a claim that another bump on the same store may be offering.
enum OfferedElsewhere {
  /// Returns the sentence for a claim whose attempts at the digits are all reserved or used; `nil` for any other.
  ///
  /// A send that asks its person reserves them, and gives the unused ones back at its end. A send with a code or a key
  /// reserves none, so nothing is known of it here.
  ///
  /// - Throws: `StoreError`.
  static func note(of id: ClaimID, in store: ClaimStore) async throws -> String? {
    guard try await store.hasNoAttempts(of: id) else { return nil }
    return "Another bump here may be offering claim \(id) just now, or its three comparisons of digits are used up."
  }
}
