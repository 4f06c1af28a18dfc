/// A moment on the clock of whoever drives the machines here: the time since it began, which only grows.
public typealias Moment = Duration

extension RandomNumberGenerator {
  /// A time between two, both included, to a microsecond.
  mutating func duration(in range: ClosedRange<Duration>) -> Duration {
    let (lower, upper) = (range.lowerBound.microseconds, range.upperBound.microseconds)
    return .microseconds(Int64.random(in: lower...max(lower, upper), using: &self))
  }
}

extension Duration {
  fileprivate var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }

  /// The whole seconds that are left of it, none below zero.
  var wholeSeconds: UInt32 { UInt32(clamping: components.seconds) }
}
