public import BumpText

/// The digits that prove that a person reads the messages to an address.
public struct OneTimeCode: Hashable, Sendable, Redacted {
  /// ASCII digits, the first of which may be zero.
  public let digits: String

  /// Reads a code that a person has typed, or pasted with spaces or dashes. Returns `nil` for anything but that many
  /// digits.
  ///
  /// - Parameter count: how many digits a code has.
  public init?(_ typed: String, count: Int) {
    guard typed.utf8.count <= 4 * count else { return nil }
    let digits = typed.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "-") }
    guard digits.count == count, digits.allSatisfy(ASCII.isDigit) else { return nil }
    self.digits = String(decoding: digits, as: UTF8.self)
  }

  /// Draws a code. Each is as likely as every other one.
  ///
  /// - Parameters:
  ///   - count: how many digits, at most 9.
  ///   - random: draws bytes.
  public init(drawing count: Int, _ random: (Int) -> [UInt8]) {
    precondition((1...9).contains(count), "a code has 1 to 9 digits")
    let codes = (0..<count).reduce(1 as UInt32) { product, _ in product * 10 }
    // Numbers above the last multiple are drawn again: a remainder would make the lower codes more likely.
    let end = UInt32.max - UInt32.max % codes
    var number = UInt32.max
    while number >= end { number = random(4).reduce(0) { $0 << 8 | UInt32($1) } }
    let text = String(number % codes)
    digits = String(repeating: "0", count: count - text.utf8.count) + text
  }
}
