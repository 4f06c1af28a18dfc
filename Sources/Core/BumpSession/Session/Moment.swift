/// A point in time, as the time since the bump began. Pure types have no clock: each input comes with its moment. Two
/// moments cannot be added.
public struct Moment: Comparable, Hashable, Sendable {
  /// The time since the bump began.
  public let sinceStart: Duration

  /// The start of the bump.
  public static let zero = Moment(.zero)

  /// Makes the moment that is this long after the start of the bump.
  public init(_ sinceStart: Duration) {
    self.sinceStart = sinceStart
  }

  public static func < (left: Self, right: Self) -> Bool { left.sinceStart < right.sinceStart }
  public static func + (moment: Self, time: Duration) -> Self { Self(moment.sinceStart + time) }
  public static func += (moment: inout Self, time: Duration) { moment = moment + time }
  public static func - (moment: Self, time: Duration) -> Self { Self(moment.sinceStart - time) }
  public static func - (later: Self, earlier: Self) -> Duration { later.sinceStart - earlier.sinceStart }
}
