/// The answers received within the last moments whose records are all cached.
///
/// A responder sends the same bytes by IPv4 and by IPv6, which share a cache: the second packet has no news, and is not
/// even decoded.
struct RecentAnswers {
  /// How long a packet counts as repeated. The two packets come one right after the other.
  static let lifetime = Duration.milliseconds(100)
  /// The most packets that are remembered. Beyond that number all are forgotten, which costs only time.
  static let limit = 64

  private var ends: [Int: Moment] = [:]

  func contain(_ digest: Int, at now: Moment) -> Bool { ends[digest].map { now < $0 } ?? false }

  mutating func insert(_ digest: Int, at now: Moment) {
    if ends.count >= Self.limit { ends = [:] }
    ends[digest] = now + Self.lifetime
  }

  mutating func removeAll() { if !ends.isEmpty { ends = [:] } }
}
