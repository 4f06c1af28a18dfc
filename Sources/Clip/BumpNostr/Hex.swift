/// Lower-case hex digits, two for each byte: the only form that NIP-01 allows.
enum Hex {
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Returns the bytes of a text; `nil` unless it has two digits for each of `count` bytes.
  static func bytes(_ text: String, count: Int) -> [UInt8]? {
    let values = text.utf8.compactMap { digit in digits.firstIndex(of: digit).map { UInt8($0) } }
    guard text.utf8.count == 2 * count, values.count == 2 * count else { return nil }
    return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }

  private static let digits = Array("0123456789abcdef".utf8)
}
