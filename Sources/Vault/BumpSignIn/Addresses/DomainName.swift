import BumpText

/// The domain of an e-mail address, in ASCII: an internationalized label in its form with `xn--` (RFC 5891).
struct DomainName {
  let text: String

  /// Reads a domain in either form.
  ///
  /// - Throws: `AddressError`.
  init(_ typed: Substring) throws(AddressError) {
    var labels: [String] = []
    // IDNA's other full stops (UTS #46) are no dots here: they would be a second spelling.
    for label in typed.split(separator: ".", omittingEmptySubsequences: false) { labels.append(try Self.label(label)) }
    guard labels.count > 1 else {
      throw AddressError("the part behind the @ has no dot", remedy: "Type the whole address, as in alice@example.org")
    }
    // No top-level domain has digits alone: this is an IP address.
    guard labels.last?.utf8.allSatisfy(ASCII.isDigit) == false else { throw Self.wrong }
    text = labels.joined(separator: ".")
    guard text.utf8.count <= 253 else { throw Self.wrong }
  }

  private static let wrong = AddressError(
    "the part behind the @ is not the name of a domain", remedy: "Type the whole address, as in alice@example.org")

  private static func label(_ typed: Substring) throws(AddressError) -> String {
    let lower = typed.unicodeScalars.map(\.properties.lowercaseMapping).joined()
    let label = typed.utf8.allSatisfy { $0 < 0x80 } ? lower : "xn--\(try unicodeLabel(typed, lower))"
    let bytes = label.utf8
    guard
      (1...63).contains(bytes.count), bytes.first != UInt8(ascii: "-"), bytes.last != UInt8(ascii: "-"),
      bytes.allSatisfy({ ASCII.isLower($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-") })
    else { throw wrong }
    return label
  }

  /// Returns the Punycode of a label.
  ///
  /// Only what has one spelling is taken: letters and digits that no mapping changes (RFC 5892), and no marks, since
  /// this program cannot normalize them. Browsers and mail programs know the ASCII form of the others.
  private static func unicodeLabel(_ typed: Substring, _ lower: String) throws(AddressError) -> String {
    let isTaken = zip(typed.unicodeScalars, typed.unicodeScalars.map(\.properties.lowercaseMapping)).allSatisfy {
      // The Kelvin sign and the like, which become a letter of ASCII.
      $0.isASCII || $1.unicodeScalars.allSatisfy { !$0.isASCII }
    }
    guard isTaken, lower.unicodeScalars.allSatisfy(isPermitted), let code = Punycode.encoded(lower) else {
      throw AddressError(
        "the part behind the @ has characters that may have several spellings",
        remedy: "Type it in the form that begins with xn--")
    }
    return code
  }

  private static func isPermitted(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return UInt8(exactly: scalar.value).map {
        ASCII.isLower($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-")
      } ?? false
    }
    // Valid although a mapping changes them (RFC 5892 §2.6).
    if scalar == "ß" || scalar == "ς" { return true }
    // Single Jamo, which compose to syllables (§2.9).
    guard !jamo.contains(where: { $0.contains(scalar.value) }), !scalar.properties.changesWhenNFKCCaseFolded else {
      return false
    }
    switch scalar.properties.generalCategory {
    case .lowercaseLetter, .otherLetter, .decimalNumber: return true
    default: return false
    }
  }

  private static let jamo: [ClosedRange<UInt32>] = [0x1100...0x11FF, 0xA960...0xA97F, 0xD7B0...0xD7FF]
}
