/// A token's ticker, such as `USDC`: 1 to 12 of `A-Z 0-9`.
public struct Token: Hashable, Sendable, CustomStringConvertible {
  public static let usdc = Token(unchecked: "USDC")

  public let description: String

  /// - Throws: `WireError.token`.
  public init(_ text: some StringProtocol) throws(WireError) {
    guard Limits.token.contains(text.utf8.count), text.utf8.allSatisfy(Self.isCharacter) else {
      throw WireError(.token, "a token is 1 to 12 of A-Z and 0-9, such as USDC")
    }
    self.init(unchecked: String(text))
  }

  private init(unchecked text: String) {
    description = text
  }

  static func isCharacter(_ byte: UInt8) -> Bool { ASCII.isUpper(byte) || ASCII.isDigit(byte) }
}
