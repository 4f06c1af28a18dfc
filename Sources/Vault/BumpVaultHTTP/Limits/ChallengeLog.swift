import Synchronization

/// A log of used challenges, each kept until it expires.
public protocol ChallengeLog: Sendable {
  /// Records that a challenge is used.
  ///
  /// - Parameters:
  ///   - digest: the challenge's digest, 64 hex digits.
  ///   - expires: when the challenge expires, in seconds since 1970.
  ///   - now: the time in seconds since 1970.
  /// - Returns: whether this is the challenge's first use.
  func use(_ digest: String, until expires: Int64, at now: Int64) async throws -> Bool
}

/// The challenges that were used in this process.
public final class ProcessChallengeLog: ChallengeLog {
  private let used = Mutex<[String: Int64]>([:])

  /// Makes an empty log, for a vault with one server. After a restart, a used challenge can be used once more.
  public init() {}

  public func use(_ digest: String, until expires: Int64, at now: Int64) async -> Bool {
    used.withLock { used in
      // Solving one takes a client some 50 ms, so there are few.
      if used.count.isMultiple(of: 1024) { used = used.filter { $0.value > now } }
      return used.updateValue(expires, forKey: digest) == nil
    }
  }

  /// The number of challenges in the log.
  var count: Int { used.withLock(\.count) }
}
