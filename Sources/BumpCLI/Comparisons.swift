import BumpChannel

/// What a person at one screen may take for the digits of a question, and so how the question is answered.
///
/// Somebody who relays two people untouched, so that both see the same digits, may cut that session and have another one
/// ready, with other digits, which the yes to the first would answer. So a yes counts only for the first digits that are on
/// this screen; questions about all others are answered by the last three of their own.
struct Comparisons {
  private var first: VerificationDigits?
  /// Whether more than one session's digits were on the screen, in a status or in a question.
  private(set) var hasOthers = false
  /// Whether the question before was cancelled, so that its answer may still be on its way.
  var isReplacing = false

  /// Notes digits that are on the screen.
  mutating func show(_ digits: VerificationDigits) {
    hasOthers = hasOthers || first.map { $0 != digits } ?? false
    first = first ?? digits
  }
}
