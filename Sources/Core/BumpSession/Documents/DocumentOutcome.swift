public import BumpClaims

/// How sending a document ended.
public enum DocumentOutcome: Hashable, Sendable {
  /// The receiver has saved the document. `wasThere` is whether it had saved it before.
  case delivered(to: DisplayName, wasThere: Bool)
  /// No receiver took the document. The list has the receivers that connected, those that got furthest first.
  case undelivered(FallbackReason, [FailedPeer])
  /// All of the document was sent to this receiver, but its answer was lost. It may have saved it.
  case unknown(DisplayName)
  /// Three wrong guesses burnt the code.
  case codeBurnt
  /// The person here said no to this receiver, and approved no other in time.
  case declinedHere(DisplayName)
  /// The task was cancelled. `mayBeThere` is whether all of it had been sent.
  case interrupted(mayBeThere: Bool)
}
