/// The limits of a card. Sizes are bytes.
public enum CardLimits {
  /// A whole card: 256 KiB.
  public static let card = 262_144
  /// A card's picture, decoded: 160 KiB, which is 214 KiB in base64.
  public static let photo = 163_840
  /// The lines of a card, unfolded.
  public static let lines = 1000
  /// A value of N, FN, TITLE, ORG, TEL or EMAIL, as written.
  public static let text = 8192
  /// A line as written, without its end (RFC 2426 §2.6).
  public static let foldedLine = 75
}
