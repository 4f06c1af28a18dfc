/// Reads text that has exactly one encoding: every literal must stand where it is expected, byte for byte.
struct CanonicalScanner {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: some Collection<UInt8>) {
    rest = Array(bytes)[...]
  }

  var isAtEnd: Bool { rest.isEmpty }

  /// Steps over `literal`; `false` where something else stands.
  mutating func take(_ literal: String) -> Bool {
    guard rest.starts(with: literal.utf8) else { return false }
    rest = rest.dropFirst(literal.utf8.count)
    return true
  }

  /// Takes the longest run of bytes of a class.
  mutating func take(while isMember: (UInt8) -> Bool) -> String {
    let run = rest.prefix(while: isMember)
    rest = rest.dropFirst(run.count)
    return String(decoding: run, as: UTF8.self)
  }

  /// Takes one byte.
  mutating func next() -> UInt8? { rest.popFirst() }

  static func isNumeric(_ byte: UInt8) -> Bool { ASCII.isDigit(byte) || byte == UInt8(ascii: ".") }

  static func isBase64(_ byte: UInt8) -> Bool {
    ASCII.isDigit(byte) || ASCII.isUpper(byte) || ASCII.isLower(byte) || "+/=".utf8.contains(byte)
  }
}
