import BumpText

/// Names of the AT protocol (atproto.com/specs/handle and atproto.com/specs/did).
package enum ATName {
  /// Returns whether bytes are a handle: a domain name of two labels or more, at most 253 characters. The last label
  /// does not begin with a digit.
  package static func isHandle(_ bytes: some Collection<UInt8>) -> Bool {
    guard bytes.count <= 253 else { return false }
    let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard labels.count > 1, let top = labels.last?.first, !ASCII.isDigit(top) else { return false }
    return labels.allSatisfy { label in
      (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.suffix(1).first != UInt8(ascii: "-")
        && label.allSatisfy { ASCII.isLower($0) || ASCII.isUpper($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-") }
    }
  }

  /// Returns whether bytes are a DID: `did:method:id`.
  static func isDID(_ bytes: some Collection<UInt8>) -> Bool {
    let parts = bytes.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
    guard
      parts.count == 3, parts[0].elementsEqual("did".utf8), !parts[1].isEmpty, parts[1].allSatisfy(ASCII.isLower),
      let last = parts[2].suffix(1).first
    else { return false }
    return parts[2].allSatisfy(ASCIISet.did.contains) && last != UInt8(ascii: ":") && last != UInt8(ascii: "%")
  }
}
