/// Application ids: a prefix of ten characters (usually the team's), a dot, and a bundle id.
enum ApplicationID {
  /// Splits an id; `nil` if the text is no id.
  static func parts(of text: String) -> (prefix: Substring, bundleID: Substring)? {
    let prefix = text.prefix(10)
    let rest = text.dropFirst(10)
    guard isPrefix(prefix), rest.hasPrefix("."), isBundleID(rest.dropFirst()) else { return nil }
    return (prefix, rest.dropFirst())
  }

  static func isPrefix(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 10 && text.utf8.allSatisfy(isOfPrefix)
  }

  private static func isOfPrefix(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
  }

  static func isBundleID(_ text: some StringProtocol) -> Bool {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    return text.utf8.count <= 155 && labels.count > 1
      && labels.allSatisfy { label in
        !label.isEmpty
          && label.utf8.allSatisfy { isOfPrefix($0) || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-") }
      }
  }

  /// Returns whether an id names a bundle, even if its prefix is not valid.
  ///
  /// - Parameter team: the prefix that a valid id must have; `nil` for any.
  static func names(_ id: String, bundleID: String, team: String?) -> Bool {
    if let parts = parts(of: id) { return parts.bundleID == bundleID && team.map { parts.prefix == $0 } ?? true }
    return id == bundleID || id.hasSuffix("." + bundleID) && !id.dropLast(bundleID.count + 1).contains(".")
  }
}
