package import BumpClaims

/// Why a claim was not released, to a receiver or for its link. Nothing was sent.
package enum ReleaseFailure: Hashable, Sendable {
  /// Another process has changed the claim, which is in this state by now.
  case changedElsewhere(HandoverState)
  /// The store failed: whether it released the claim is not known, and nobody is sent it.
  case storeFailed(StoreError)
}
