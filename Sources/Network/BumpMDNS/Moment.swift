/// A time on the driver's monotonic clock: the duration since its start.
public typealias Moment = Duration

extension RandomNumberGenerator {
  /// Returns a random duration within a range, in whole microseconds.
  mutating func duration(in range: ClosedRange<Duration>) -> Duration {
    let (lower, upper) = (range.lowerBound.microseconds, range.upperBound.microseconds)
    return .microseconds(Int64.random(in: lower...max(lower, upper), using: &self))
  }
}

extension Duration {
  fileprivate var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }

  /// The duration in whole seconds, rounded down; 0 for a negative one.
  var wholeSeconds: UInt32 { UInt32(clamping: components.seconds) }
}
