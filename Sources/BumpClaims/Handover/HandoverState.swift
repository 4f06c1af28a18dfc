/// How far a claim of ours has been handed over. A vault or a ledger has states of its own for the same money.
public enum HandoverState: String, Sendable, CaseIterable {
  /// Its secret has not left this machine.
  case new
  /// It is on its way to one receiver, whose answer may still come: until the deadline that is stored with it.
  case released
  /// Its link was shown: whoever has that may take it.
  case linkShown
  /// It was sent to a receiver that never validly answered: it may be there. While `OutgoingClaim.deadline` is ahead, the
  /// receiver may still take it.
  case unknown
  /// A receiver said that it has it for good, or its owner settled that.
  case delivered
  /// Its owner settled that the receiver does not have it.
  case lost

  /// Whether the claim may be offered to a receiver: nobody can have it, or only by a link that was shown on purpose.
  public var isOfferable: Bool { self == .new || self == .lost || self == .linkShown }
}
