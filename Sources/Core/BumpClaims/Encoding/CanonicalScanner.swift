import BumpText

/// Reads text that has only one encoding, literal by literal.
package struct CanonicalScanner {
  private var rest: ArraySlice<UInt8>

  package init(_ bytes: some Collection<UInt8>) {
    rest = Array(bytes)[...]
  }

  package var isAtEnd: Bool { rest.isEmpty }

  /// Skips `literal`; returns `false` if the text continues differently.
  package mutating func take(_ literal: String) -> Bool {
    guard rest.starts(with: literal.utf8) else { return false }
    rest = rest.dropFirst(literal.utf8.count)
    return true
  }

  /// Removes and returns the longest run of bytes of a class.
  package mutating func take(while isMember: (UInt8) -> Bool) -> String {
    let run = rest.prefix(while: isMember)
    rest = rest.dropFirst(run.count)
    return String(decoding: run, as: UTF8.self)
  }

  /// Removes and returns one byte; `nil` at the end.
  package mutating func next() -> UInt8? { rest.popFirst() }

  package static func isNumeric(_ byte: UInt8) -> Bool { ASCII.isDigit(byte) || byte == UInt8(ascii: ".") }

  package static func isBase64(_ byte: UInt8) -> Bool {
    ASCII.isDigit(byte) || ASCII.isUpper(byte) || ASCII.isLower(byte) || "+/=".utf8.contains(byte)
  }
}
