import BumpText

/// The name that one end shows to the person at the other: at most 63 bytes of UTF-8, without U+0000.
///
/// A peer may send any such text: show it only by `visible` or `quoted`.
public struct DisplayName: Hashable, Sendable {
  /// The name of an end that chose none.
  public static let somebody = DisplayName(unchecked: "somebody")

  /// The name as received. It may contain any characters.
  public let text: String

  private init(unchecked text: String) {
    self.text = text
  }

  /// Makes a name of any text.
  ///
  /// - Throws: `ClaimError.displayName` for more than 63 bytes, or U+0000.
  public init(_ text: String) throws(ClaimError) {
    // SQLite and C end a text at a zero, and would leave a different name: the part before the zero.
    guard text.utf8.count <= ClaimLimits.displayName, !text.utf8.contains(0) else {
      throw ClaimError(.displayName, "a display name is at most 63 bytes of UTF-8, without U+0000")
    }
    self.text = text
  }

  /// Reads a name from a message.
  ///
  /// - Throws: `ClaimError.displayName` for more than 63 bytes, bytes that are not UTF-8, or U+0000.
  package init(utf8 bytes: some Collection<UInt8>) throws(ClaimError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ClaimError(.displayName, "a display name is UTF-8")
    }
    try self.init(text)
  }

  /// Makes this user's own name.
  ///
  /// - Throws: `ClaimError.displayName` if the name is blank, too long, or has characters that must be escaped.
  public init(own text: String) throws(ClaimError) {
    guard !VisibleText.isBlank(text), VisibleText.isPlain(text) else {
      throw ClaimError(
        .displayName,
        "a display name is 1 to 63 bytes of UTF-8, not blank, without control or invisible characters or backslashes")
    }
    try self.init(text)
  }

  /// The name on one line, with characters escaped that could deceive a reader or control a terminal.
  public var visible: String { VisibleText.ofName(text) }

  /// The name in quotes, for a sentence.
  public var quoted: String { QuotedName.of(text) }
}

/// Prints as `visible`, so that a peer's name is harmless in a log too.
extension DisplayName: CustomStringConvertible {
  public var description: String { visible }
}
