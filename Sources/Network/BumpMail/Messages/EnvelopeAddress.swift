/// An address of a message's envelope and header: `local@domain`, in ASCII.
///
/// Whatever an address was made from, this is the last look at it before a header, a server of mail or libcurl, which
/// passes on what is in an address: nothing in it can end a line, add a parameter or name another recipient.
package struct EnvelopeAddress: Hashable, Sendable {
  package let text: String

  /// Returns `nil` for anything but a `Dot-string`, one `@` and a domain of letters, digits, dots and hyphens, in at most
  /// 254 bytes.
  package init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard
      text.utf8.count <= 254, parts.count == 2,
      Self.isDotted(parts[0], of: Self.atom), Self.isDotted(parts[1], of: Self.label)
    else { return nil }
    self.text = text
  }

  /// The part behind the `@`.
  package var domain: String { String(text.drop { $0 != "@" }.dropFirst()) }

  private static func isDotted(_ part: Substring.UTF8View, of permitted: Set<UInt8>) -> Bool {
    part.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .allSatisfy { !$0.isEmpty && $0.allSatisfy(permitted.contains) }
  }

  private static let label = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-".utf8)
  private static let atom = label.union("!#$%&'*+/=?^_`{|}~".utf8)
}
