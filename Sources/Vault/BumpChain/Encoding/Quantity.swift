import BumpText

/// A quantity of JSON-RPC: `0x` and hex digits without leading zeros (Ethereum's execution API, "Hex value encoding").
enum Quantity {
  /// Returns the text of a number.
  static func text(_ value: some FixedWidthInteger & UnsignedInteger) -> String { "0x" + String(value, radix: 16) }

  /// Reads a number; `nil` unless the text is the one that `text` returns for it, in either case of letters.
  static func value<Number: FixedWidthInteger & UnsignedInteger>(_ text: String, as: Number.Type = Number.self)
    -> Number?
  {
    // The length first: a text may have a megabyte.
    guard text.utf8.count <= 2 + Number.bitWidth / 4, text.utf8.starts(with: "0x".utf8) else { return nil }
    let digits = text.utf8.dropFirst(2)
    guard let first = digits.first, digits.count == 1 || first != UInt8(ascii: "0") else { return nil }
    // `Number(_:radix:)` accepts a sign too.
    guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
    return Number(Substring(digits), radix: 16)
  }
}
