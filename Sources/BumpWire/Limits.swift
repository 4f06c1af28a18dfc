/// The protocol's numbers, each beside its reason. Sizes are bytes.
public enum Limits {
  /// A claim id: room for a UUID or a hash, short enough for a QR code.
  public static let claimID = 1...64
  /// 128 random bits cannot be guessed.
  public static let secret = 16
  /// A token's ticker.
  public static let token = 1...12
  /// A display name: what fits one DNS label, and MultipeerConnectivity's own limit.
  public static let displayName = 63
  /// An instance name is one DNS label (RFC 6763 §4.1.1).
  public static let instanceName = 63
  /// An OFFER's JSON.
  public static let offer = 512
  /// A claim payload.
  public static let claim = 1024
  /// HMAC-SHA256.
  public static let mac = 32
  /// A link's mac is cut to 128 bits to keep the QR code small.
  public static let linkMAC = 16
  /// A link a person types or scans; the longest one with a sensible base is far below.
  public static let link = 1024
  /// How long one HOLD may ask for, in seconds.
  public static let holdSeconds: UInt8 = 60
}
