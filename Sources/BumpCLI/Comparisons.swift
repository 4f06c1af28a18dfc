import BumpChannel

/// The digits that a person at this screen may have compared. They decide how a question is answered.
///
/// An attacker may relay two people's session untouched, so that both see the same digits, then cut it and have another
/// session ready with other digits. A yes that was meant for the first digits would then answer the question about the
/// others. So a yes counts only for the first digits on this screen. A question about any other digits is answered by
/// their last three.
struct Comparisons {
  private var first: VerificationDigits?
  /// Whether the digits of more than one session were on the screen, in a status or in a question.
  private(set) var hasOthers = false
  /// Whether the question before was cancelled, so that its answer may still come.
  var isReplacing = false

  /// Notes digits that are on the screen.
  mutating func show(_ digits: VerificationDigits) {
    hasOthers = hasOthers || first.map { $0 != digits } ?? false
    first = first ?? digits
  }
}
