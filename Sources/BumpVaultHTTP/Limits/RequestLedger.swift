/// Requests that all servers of a vault count together: buckets that leak evenly, as in `RequestLimiter`, and hold a minute.
public protocol RequestLedger: Sendable {
  /// Puts requests into a bucket, as many as there is room for, for the server that asks to answer them.
  ///
  /// - Parameters:
  ///   - bucket: which one; at most 17 bytes.
  ///   - most: how many requests at the most.
  ///   - step: how long one of them takes to leak out, in microseconds.
  func take(from bucket: [UInt8], most: Int64, step: Int64) async throws -> RequestLease
}

/// Requests that one server of several may answer without asking the others.
public struct RequestLease: Hashable, Sendable {
  /// How many.
  public let count: Int64
  /// How long from now until the bucket is empty again, in microseconds.
  public let level: Int64

  public init(count: Int64, level: Int64) {
    (self.count, self.level) = (count, level)
  }
}
