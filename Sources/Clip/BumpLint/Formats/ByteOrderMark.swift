/// The character U+FEFF at the beginning of a file, by which some editors mark its encoding (Unicode 16.0, §23.8).
enum ByteOrderMark: String, Sendable {
  case utf8 = "UTF-8"
  case utf16 = "UTF-16"
  case utf32 = "UTF-32"

  /// The marks as bytes. Those of UTF-32 are first: one of UTF-16 begins like one of them.
  private static let all: [(bytes: [UInt8], mark: ByteOrderMark)] = [
    ([0xFF, 0xFE, 0, 0], .utf32), ([0, 0, 0xFE, 0xFF], .utf32), ([0xFF, 0xFE], .utf16), ([0xFE, 0xFF], .utf16),
    ([0xEF, 0xBB, 0xBF], .utf8),
  ]

  /// Returns the mark with which a file begins; `nil` if there is none.
  init?(_ bytes: [UInt8]) {
    guard let found = Self.all.first(where: { bytes.starts(with: $0.bytes) }) else { return nil }
    self = found.mark
  }
}
