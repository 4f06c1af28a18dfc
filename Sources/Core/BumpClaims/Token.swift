import BumpText

/// A token's ticker, such as `USDC`: 1 to 12 of `A-Z 0-9`.
public struct Token: Hashable, Sendable, CustomStringConvertible {
  /// `USDC`.
  public static let usdc = Token(unchecked: "USDC")

  /// The ticker as text.
  public let description: String

  /// Reads a ticker.
  ///
  /// - Throws: `ClaimError.token` for another length or character.
  public init(_ text: some StringProtocol) throws(ClaimError) {
    guard ClaimLimits.token.contains(text.utf8.count), text.utf8.allSatisfy(Self.isCharacter) else {
      throw ClaimError(.token, "a token is 1 to 12 of A-Z and 0-9, such as USDC")
    }
    self.init(unchecked: String(text))
  }

  private init(unchecked text: String) {
    description = text
  }

  package static func isCharacter(_ byte: UInt8) -> Bool { ASCII.isUpper(byte) || ASCII.isDigit(byte) }
}
