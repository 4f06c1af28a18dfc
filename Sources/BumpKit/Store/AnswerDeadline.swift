/// Until when the receiver of a released claim may still take it, in seconds since 1970.
enum AnswerDeadline {
  /// What the receiver may take to store a claim that came in its last moment, in seconds: `Times.storing`, and the commit.
  static let margin: Int64 = 5
  /// No deadline lies further ahead: an answer is waited for an hour at most. One that does was stored by a clock that
  /// was wrong, and would keep the claim for ever.
  static let horizon: Int64 = 3600 + margin

  /// - Parameter limit: how long the receiver may still take it, and its answer is waited for.
  static func of(_ limit: Duration, from now: Int64) -> Int64 {
    let (seconds, attoseconds) = limit.components
    return now + min(seconds + (attoseconds > 0 ? 1 : 0) + margin, horizon)
  }

  static func isAhead(_ deadline: Int64?, at now: Int64) -> Bool {
    guard let deadline else { return false }
    return deadline > now && deadline <= now + horizon
  }
}
