/// The protocol's limits. Sizes are bytes.
public enum WireLimits {
  /// An instance name, which is one DNS label (RFC 6763 §4.1.1).
  public static let instanceName = 63
  /// An OFFER's JSON.
  public static let offer = 512
  /// A CLAIM's MAC: HMAC-SHA256.
  public static let mac = 32
  /// A CHUNK of a document. All but the last have this length.
  public static let chunk = 1056
  /// How many CHUNKs a sender may send without MORE.
  public static let firstChunks = 32
  /// The number of CHUNKs after which MORE is due, and of further CHUNKs that each MORE allows.
  public static let chunksPerMore = 16
  /// The longest time that one HOLD may ask for, in seconds.
  public static let holdSeconds: UInt8 = 60
  /// The places of a receiver's queue.
  public static let places: ClosedRange<UInt8> = 1...8
  /// How many QUEUED a receiver may send in one session, for each place that the first of them names.
  public static let queuedPerPlace = 32
}
