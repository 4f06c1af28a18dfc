/// The times at which codes were sent, in one column of a store.
public enum CodeTimes {
  /// Returns the times as big-endian integers of 8 bytes.
  public static func encoded(_ times: [Int64]) -> [UInt8] {
    times.flatMap { withUnsafeBytes(of: $0.bigEndian, Array.init) }
  }

  /// Returns `nil` unless the number of bytes is a multiple of 8.
  public static func decoded(_ bytes: [UInt8]) -> [Int64]? {
    guard bytes.count.isMultiple(of: 8) else { return nil }
    return stride(from: 0, to: bytes.count, by: 8).map { place in
      bytes[place..<place + 8].reduce(0) { $0 << 8 | Int64($1) }
    }
  }
}
