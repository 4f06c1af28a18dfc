/// A range of durations, in whole milliseconds, out of which a plan draws.
public struct TimeRange: Hashable, Sendable {
  /// The shortest and the longest of them.
  public let milliseconds: ClosedRange<Int>

  /// Makes a range.
  public init(milliseconds: ClosedRange<Int>) { self.milliseconds = milliseconds }

  /// A range of whole seconds.
  public static func seconds(_ range: ClosedRange<Int>) -> TimeRange {
    TimeRange(milliseconds: (range.lowerBound * 1000)...(range.upperBound * 1000))
  }

  /// A range of milliseconds.
  public static func milliseconds(_ range: ClosedRange<Int>) -> TimeRange { TimeRange(milliseconds: range) }

  /// No time at all.
  public static let none = TimeRange(milliseconds: 0...0)
}
