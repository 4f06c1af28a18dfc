public import BumpClaims
public import BumpStore

extension ClaimStore {
  /// Stores a claim that came as a link. The claim is durable when this returns.
  ///
  /// - Parameters:
  ///   - verified: the claim, as returned by this store's `verify` or by `UnverifiedClaimLink.verify`.
  ///   - now: the time in seconds since 1970 by which the claim's expiry is judged.
  /// - Returns: `.received` if the claim is new here: only then is it new money. `.duplicate` or `.conflicting` if the
  ///   store had a claim of this id before. `.expired` if the claim's time is up; then nothing is stored.
  /// - Throws: `StoreError`, such as `.ownClaim` for the link of a claim that was made in this store. Then nothing is
  ///   stored.
  public func take(_ verified: VerifiedClaim, at now: Int64 = UnixTime.now()) async throws -> ReceiveOutcome {
    guard !verified.expiry.hasPassed(at: now) else { return .expired }
    return ReceiveOutcome(verified, try await store(verified, at: now))
  }
}
