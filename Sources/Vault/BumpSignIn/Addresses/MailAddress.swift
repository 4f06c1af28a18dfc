public import BumpText

/// An e-mail address in one normalized form: lower case, and the domain in ASCII.
///
/// Codes are sent to this form alone. So whoever types another spelling of somebody's address, such as one with a letter
/// that looks or folds alike, has the code sent to a mailbox that is either the owner's or not the account's.
///
/// It is narrower than RFC 5321: no quotes, no comments, no address literal, and no host without a dot. Nothing in it can
/// end a line of SMTP or of a message's header, or begin another recipient.
public struct MailAddress: Hashable, Sendable, Redacted {
  /// The normalized address.
  public let text: String

  /// The greatest number of bytes of an address (RFC 5321 §4.5.3.1.3, less the angle brackets), and of its local part
  /// (§4.5.3.1.1).
  static let (longest, longestLocalPart) = (254, 64)

  /// Reads an address that a person has typed. Spaces around it are ignored.
  ///
  /// - Throws: `AddressError`.
  public init(_ typed: String) throws(AddressError) {
    let trimmed = typed.trimmingSpaces
    // A long text is refused before anything is done with it.
    guard trimmed.utf8.count <= 4 * Self.longest else { throw Self.tooLong }
    guard let at = trimmed.utf8.lastIndex(of: UInt8(ascii: "@")) else {
      throw AddressError("an e-mail address has an @", remedy: Self.remedy)
    }
    let (local, domain) = (trimmed[..<at], trimmed[trimmed.utf8.index(after: at)...])
    guard Self.isLocalPart(local) else {
      throw AddressError(
        "the part before the @ has other characters than letters of English, digits and signs such as . _ - +",
        remedy: Self.remedy)
    }
    guard local.utf8.count <= Self.longestLocalPart else { throw Self.tooLong }
    let text = "\(local.lowercased())@\(try DomainName(domain).text)"
    guard text.utf8.count <= Self.longest else { throw Self.tooLong }
    self.text = text
  }

  /// The domain, in ASCII.
  public var domain: String { String(text[text.index(after: text.lastIndex(of: "@") ?? text.startIndex)...]) }

  private static let remedy = "Type it as in alice@example.org"
  private static let tooLong = AddressError("the e-mail address is too long", remedy: remedy)

  /// Returns whether a text is a `Dot-string` (RFC 5321 §4.1.2).
  private static func isLocalPart(_ text: Substring) -> Bool {
    text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { atom in
      !atom.isEmpty
        && atom.allSatisfy {
          ASCII.isDigit($0) || ASCII.isUpper($0) || ASCII.isLower($0) || atomSigns.contains($0)
        }
    }
  }

  /// The signs of `atext` (RFC 5322 §3.2.3).
  private static let atomSigns = Set("!#$%&'*+-/=?^_`{|}~".utf8)
}

extension String {
  /// The text without ASCII spaces around it.
  var trimmingSpaces: String {
    let space = UInt8(ascii: " ")
    guard let first = utf8.firstIndex(where: { $0 != space }), let last = utf8.lastIndex(where: { $0 != space }) else {
      return ""
    }
    return String(self[first...last])
  }
}
