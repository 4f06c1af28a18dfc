import Synchronization

/// The challenges that were used, until they expire.
public protocol ChallengeLog: Sendable {
  /// Notes that a challenge is used.
  ///
  /// - Parameters:
  ///   - digest: its digest, 64 hex digits.
  ///   - expires, now: seconds since 1970.
  /// - Returns: whether it was not used before.
  func use(_ digest: String, until expires: Int64, at now: Int64) async throws -> Bool
}

/// The challenges that were used in this process.
public final class ProcessChallengeLog: ChallengeLog {
  private let used = Mutex<[String: Int64]>([:])

  public init() {}

  public func use(_ digest: String, until expires: Int64, at now: Int64) async -> Bool {
    used.withLock { used in
      // Solving takes a client some 50 ms, so there are few of them.
      if used.count.isMultiple(of: 1024) { used = used.filter { $0.value > now } }
      return used.updateValue(expires, forKey: digest) == nil
    }
  }

  /// How many are remembered.
  var count: Int { used.withLock(\.count) }
}
