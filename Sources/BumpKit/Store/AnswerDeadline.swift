/// Until when the receiver of a released claim may still take it, in seconds since 1970.
enum AnswerDeadline {
  /// What the receiver may take to store a claim that came in its last moment, in seconds: `Times.storing`, and the commit.
  static let margin: Int64 = 5
  /// An answer is waited for an hour at most.
  private static let longest: Int64 = 3600 + margin

  /// - Parameter limit: how long the receiver may still take it, and its answer is waited for.
  static func of(_ limit: Duration, from now: Int64) -> Int64 {
    let (seconds, attoseconds) = limit.components
    return now + min(seconds + (attoseconds > 0 ? 1 : 0) + margin, longest)
  }

  /// Also where it lies further ahead than it was set: then the clock was set back, and what is left of the time cannot be
  /// known.
  static func isAhead(_ deadline: Int64?, at now: Int64) -> Bool { deadline.map { $0 > now } ?? false }
}
