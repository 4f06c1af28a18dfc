/// Writes a length of time for a person in its largest unit alone.
public enum LargestUnit {
  /// Returns a time such as `2 hours`, rounded down.
  public static func text(seconds: Int64) -> String {
    let units: [(Int64, String)] = [(86400, "day"), (3600, "hour"), (60, "minute")]
    let (size, name) = units.first { seconds >= $0.0 } ?? (1, "second")
    let count = seconds / size
    return "\(count) \(name)\(count == 1 ? "" : "s")"
  }
}
