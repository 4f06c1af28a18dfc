package import BumpWire

/// The digits that a person at this screen may have compared. They decide how a question is answered.
///
/// An attacker may relay two people's session untouched, so that both see the same digits, then cut it and have another
/// session ready with other digits. A yes that was meant for the first digits would then answer the question about the
/// others. So a yes counts only for the first digits on this screen. A question about any other digits is answered by
/// their last three; by all six if the last three were on the screen before, since the attacker may choose a session for
/// that.
package struct Comparisons {
  /// How many digits are remembered: an answer comes soon after its question.
  private static let memory = 16
  /// The digits that were on the screen, in a status or in a question, the latest last.
  private var shown: [VerificationDigits] = []
  /// Whether the digits of more than one session were on the screen.
  package var hasOthers: Bool { shown.count > 1 }
  /// Whether the question before was cancelled, so that its answer may still come.
  package var isReplacing = false

  /// Notes digits that are on the screen.
  package mutating func show(_ digits: VerificationDigits) {
    guard !shown.contains(digits) else { return }
    if shown.count == Self.memory { shown.removeFirst() }
    shown.append(digits)
  }

  /// Returns what to type for these digits.
  package func answer(to digits: VerificationDigits) -> String {
    let last = Self.last(of: digits)
    return shown.contains { $0 != digits && Self.last(of: $0) == last } ? digits.description : last
  }

  private static func last(of digits: VerificationDigits) -> String { String(digits.description.suffix(3)) }
}
