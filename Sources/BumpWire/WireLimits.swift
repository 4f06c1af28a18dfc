/// The protocol's limits. Sizes are bytes.
public enum WireLimits {
  /// An instance name is one DNS label (RFC 6763 §4.1.1).
  public static let instanceName = 63
  /// An OFFER's JSON.
  public static let offer = 512
  /// A CLAIM's mac: HMAC-SHA256.
  public static let mac = 32
  /// A CHUNK of a document. All but the last are so long.
  public static let chunk = 1056
  /// How many CHUNKs a sender may send without MORE.
  public static let firstChunks = 32
  /// How many further CHUNKs each MORE allows, and behind how many it comes.
  public static let chunksPerMore = 16
  /// The longest time that one HOLD may ask for, in seconds.
  public static let holdSeconds: UInt8 = 60
}
