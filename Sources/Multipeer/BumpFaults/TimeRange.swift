/// A range of durations in whole milliseconds, from which a plan draws.
public struct TimeRange: Hashable, Sendable {
  /// The shortest and the longest duration.
  public let milliseconds: ClosedRange<Int>

  /// Makes a range.
  public init(milliseconds: ClosedRange<Int>) { self.milliseconds = milliseconds }

  /// Makes a range of whole seconds.
  public static func seconds(_ range: ClosedRange<Int>) -> TimeRange {
    TimeRange(milliseconds: (range.lowerBound * 1000)...(range.upperBound * 1000))
  }

  /// Makes a range of milliseconds.
  public static func milliseconds(_ range: ClosedRange<Int>) -> TimeRange { TimeRange(milliseconds: range) }

  /// The range with only the duration zero.
  public static let none = TimeRange(milliseconds: 0...0)
}
