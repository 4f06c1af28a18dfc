/// The delays before a host tries another name for a service after conflicts. Pure.
///
/// Against an attacker that claims every name, a host would otherwise try hundreds of names a second. After fifteen
/// conflicts within ten seconds, each further try waits for five seconds (RFC 6762 §8.1).
package struct NameConflicts: Sendable {
  private static let limit = 15
  private static let period: Duration = .seconds(10)
  private static let delay: Duration = .seconds(5)

  /// When the latest conflicts occurred, up to `limit` of them.
  private var moments: [Duration] = []
  private var isLimited = false

  package init() {}

  /// Notes a conflict.
  ///
  /// - Parameter now: the time on a clock that is never set.
  /// - Returns: how long to wait before the next try.
  package mutating func add(at now: Duration) -> Duration {
    moments = moments.suffix(Self.limit - 1) + [now]
    if moments.count == Self.limit, now - moments[0] <= Self.period { isLimited = true }
    return isLimited ? Self.delay : .zero
  }
}
