/// The state of a claim's handover at its sender. A vault or a ledger has states of its own for the same money.
public enum HandoverState: String, Sendable, CaseIterable {
  /// The claim's secret has not left this machine.
  case new
  /// The claim was released to one receiver, which may still answer until the deadline stored with the claim.
  case released
  /// The claim's link was shown: anybody who has the link may take the claim.
  case linkShown
  /// The claim was sent to a receiver that did not validly answer, and may have it. Until `OutgoingClaim.deadline` the
  /// receiver may still take the claim.
  case unknown
  /// A receiver answered that it has stored the claim, or the owner settled that a receiver has it.
  case delivered
  /// The owner settled that the receiver does not have the claim.
  case lost

  /// Whether the claim may be offered to a receiver: nobody can have it, except by a link that was shown on purpose.
  public var isOfferable: Bool { self == .new || self == .lost || self == .linkShown }
}
