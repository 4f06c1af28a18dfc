/// What people call the other end: at most 63 bytes of UTF-8.
///
/// Any text of that length is one, since a stranger chooses it: show it only through `visible`.
public struct DisplayName: Hashable, Sendable {
  /// Who has no name of their own.
  public static let somebody = DisplayName(unchecked: "somebody")

  public let text: String

  private init(unchecked text: String) {
    self.text = text
  }

  /// - Throws: `WireError.displayName` past 63 bytes.
  public init(_ text: String) throws(WireError) {
    guard text.utf8.count <= Limits.displayName else {
      throw WireError(.displayName, "a display name is at most 63 bytes of UTF-8")
    }
    self.text = text
  }

  /// - Throws: `WireError.displayName` past 63 bytes, or where they are not UTF-8.
  init(utf8 bytes: some Collection<UInt8>) throws(WireError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw WireError(.displayName, "a display name is UTF-8")
    }
    try self.init(text)
  }

  /// A name for oneself.
  ///
  /// - Throws: `WireError.displayName` where it is blank, too long, or would need escaping to be shown.
  public init(own text: String) throws(WireError) {
    guard !VisibleText.isBlank(text), VisibleText.isPlain(text) else {
      throw WireError(
        .displayName,
        "a display name is 1 to 63 bytes of UTF-8, not blank, without control or invisible characters or backslashes")
    }
    try self.init(text)
  }

  /// The name on one line, with whatever could deceive a reader or drive a terminal made visible.
  public var visible: String { VisibleText.ofName(text) }
}

/// Prints as `visible`, so that no log line can be driven by a stranger either.
extension DisplayName: CustomStringConvertible {
  public var description: String { visible }
}
