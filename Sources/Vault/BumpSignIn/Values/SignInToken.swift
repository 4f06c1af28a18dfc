public import BumpText

/// A secret of a browser, in a cookie: of a flow, or of a session. A store has its hash alone.
public struct SignInToken: Hashable, Sendable, Redacted {
  static let count = 32
  let bytes: [UInt8]

  init(bytes: [UInt8]) {
    precondition(bytes.count == Self.count, "a token has 32 bytes")
    self.bytes = bytes
  }

  /// Reads the value of a cookie: base64url without padding, in its one form. Returns `nil` for anything else.
  public init?(_ text: some StringProtocol) {
    guard let bytes = Base64.urlDecoded(text), bytes.count == Self.count, Base64.urlEncoded(bytes) == String(text)
    else {
      return nil
    }
    self.bytes = bytes
  }

  /// The value of the cookie.
  public var cookieValue: String { Base64.urlEncoded(bytes) }
}
