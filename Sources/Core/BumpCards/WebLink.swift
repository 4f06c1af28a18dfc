/// The address of a web page, which one person hands to another. bump shows and keeps it, and never opens it.
public struct WebLink: Hashable, Sendable {
  /// The greatest length of an address in bytes.
  public static let limit = 2048

  /// The address in ASCII, as received.
  public let text: String

  /// Reads an address: `https://`, a host, and only characters of RFC 3986; `nil` for any other text.
  ///
  /// An address with a user name before the host is rejected: the user name could be taken for the host.
  public init?(_ bytes: some Collection<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self)
    let scheme = "https://"
    guard bytes.count <= Self.limit, bytes.allSatisfy(Self.isAllowed), text.lowercased().hasPrefix(scheme) else {
      return nil
    }
    let rest = text.utf8.dropFirst(scheme.utf8.count)
    let authority = rest.prefix { !"/?#".utf8.contains($0) }
    guard let first = authority.first, first != UInt8(ascii: ":"), !authority.contains(UInt8(ascii: "@")) else {
      return nil
    }
    guard text.utf8.count(where: { $0 == UInt8(ascii: "#") }) <= 1, Self.hasWholeEscapes(rest) else { return nil }
    self.text = text
  }

  /// Returns whether a byte is an unreserved or reserved character, or the percent sign (RFC 3986 §2).
  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "-._~:/?#[]@!$&'()*+,;=%".utf8.contains(byte)
    }
  }

  private static func hasWholeEscapes(_ text: Substring.UTF8View) -> Bool {
    var rest = text
    while let place = rest.firstIndex(of: UInt8(ascii: "%")) {
      let digits = rest[place...].dropFirst().prefix(2)
      guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return false }
      rest = rest[digits.endIndex...]
    }
    return true
  }
}
