/// Counts requests for all servers of a vault together: in buckets that leak evenly, as in `RequestLimiter`, and hold a
/// minute.
public protocol RequestLedger: Sendable {
  /// Puts requests into a bucket, as many as there is room for. The calling server may then answer them.
  ///
  /// - Parameters:
  ///   - bucket: the bucket's key, at most 17 bytes.
  ///   - most: the greatest number of requests.
  ///   - step: how long one request takes to leak out, in microseconds.
  func take(from bucket: [UInt8], most: Int64, step: Int64) async throws -> RequestLease
}

/// Requests that one of several servers may answer without asking the others.
public struct RequestLease: Hashable, Sendable {
  /// The number of requests.
  public let count: Int64
  /// How long from now the bucket takes to become empty, in microseconds.
  public let level: Int64

  /// Makes a lease. A count of zero means that the bucket is full.
  public init(count: Int64, level: Int64) {
    (self.count, self.level) = (count, level)
  }
}
