/// Random delays between tries. Each is between zero and a limit that doubles, so that conflicting transactions do not
/// conflict again.
struct Backoff: Sendable {
  let first: Duration
  let longest: Duration

  /// - Parameters:
  ///   - number: the number of failed tries, less one.
  ///   - chance: a random number.
  func delay(after number: Int, _ chance: UInt64) -> Duration {
    let limit = min(longest, first * (1 << min(number, 30)))
    return limit * (Double(chance >> 11) / 0x1p53)
  }
}
