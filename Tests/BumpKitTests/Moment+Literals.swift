import BumpSession

extension Moment {
  /// The moment so many seconds after the start.
  static func seconds(_ count: Int) -> Moment { Moment(.seconds(count)) }

  /// The moment so many milliseconds after the start.
  static func milliseconds(_ count: Int) -> Moment { Moment(.milliseconds(count)) }
}
