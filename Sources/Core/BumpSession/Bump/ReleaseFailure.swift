package import BumpClaims

/// Why a claim was not released, to a receiver or for its link. The claim was not sent.
package enum ReleaseFailure: Hashable, Sendable {
  /// Another process has changed the claim's state to this one.
  case changedElsewhere(HandoverState)
  /// The claim has expired by the time of day, which may have been set since the bump began.
  case expired
  /// The store failed. It is unknown whether the claim was released; it is not sent to anybody.
  case storeFailed(StoreError)
}
