public import BumpClaims
public import BumpStore

extension ClaimStore {
  /// Receives a claim from its link, durably.
  ///
  /// - Parameters:
  ///   - verified: the claim, as `verify` of this store or of `UnverifiedClaimLink` returned it.
  ///   - now: seconds since 1970, by which the claim's expiry is judged.
  /// - Returns: `.received`, which alone is money that was not here before, `.duplicate`, `.conflicting`, or `.expired`,
  ///   where nothing was stored.
  /// - Throws: `StoreError`, such as `.ownClaim` for the link of a claim that was made in this store; then nothing was
  ///   stored.
  public func take(_ verified: VerifiedClaim, at now: Int64 = UnixTime.now()) async throws -> ReceiveOutcome {
    guard !verified.expiry.hasPassed(at: now) else { return .expired }
    return ReceiveOutcome(verified, try await store(verified, at: now))
  }
}
