public import BumpStore

/// A reading of two clocks that began together.
extension ClockReading: ExpressibleByIntegerLiteral {
  public init(integerLiteral seconds: Int64) { self.init(unix: seconds, sinceBoot: seconds, bootID: "this boot") }
}
