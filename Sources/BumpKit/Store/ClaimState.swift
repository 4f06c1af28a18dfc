/// Where a claim of ours stands. It only ever moves forward.
public enum ClaimState: String, Sendable, CaseIterable {
  /// Its secret has not left this machine.
  case new
  /// It was handed to one receiver, or its link was shown: it may be taken.
  case released
  /// A receiver said that it has it for good.
  case delivered
  /// It was handed to a receiver that never validly answered: it may be there.
  case unknown
}
