/// A set of ASCII characters.
struct ASCIISet: Hashable, Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// The characters of a URL (RFC 3986), unreserved and reserved, other than `?` and `#`.
  static let unmarked = ASCIISet(known: "A-Z a-z 0-9 - . _ ~ : / [ ] @ ! $ & ' ( ) * + , ; =")
  /// The characters that a segment of a path may have without an escape (RFC 3986 §3.3).
  static let segment = ASCIISet(known: "A-Z a-z 0-9 - . _ ~ : @ ! $ & ' ( ) * + , ; =")
  static let hex = ASCIISet(known: "0-9 A-F a-f")
  static let did = ASCIISet(known: "A-Z a-z 0-9 . _ : % -")
  static let team = ASCIISet(known: "A-Z 0-9")
  static let recordKey = ASCIISet(known: "A-Z a-z 0-9 . _ : ~ -")
  static let identifier = ASCIISet(known: "a-z 0-9 -")
  static let name = ASCIISet(known: "A-Z a-z 0-9 _")
  static let bundleID = ASCIISet(known: "A-Z a-z 0-9 . -")
  static let fileName = ASCIISet(known: "A-Z a-z 0-9 . _ -")

  /// Reads characters and ranges with a space between them, such as `A-Z a-z 0-9 - _`; `nil` for anything else.
  init?(_ text: some StringProtocol) {
    for word in text.split(separator: " ") {
      let bytes = Array(word.utf8)
      guard bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
      if bytes.count == 1 {
        insert(bytes[0])
      } else {
        guard bytes.count == 3, bytes[1] == UInt8(ascii: "-"), bytes[0] <= bytes[2] else { return nil }
        (bytes[0]...bytes[2]).forEach { insert($0) }
      }
    }
    guard low != 0 || high != 0 else { return nil }
  }

  private init(known text: String) {
    guard let set = Self(text) else { preconditionFailure("the set is written so") }
    self = set
  }

  func contains(_ byte: UInt8) -> Bool {
    byte < 128 && (byte < 64 ? low : high) &>> UInt64(byte & 63) & 1 == 1
  }

  private mutating func insert(_ byte: UInt8) {
    if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
  }
}
