/// The limits of the protocol. Lengths are in bytes.
public enum MultipeerLimits {
  /// The length of a record without its length field, as of a message in the Noise Protocol Framework, revision 34, §3.
  public static let record = 65_535
  /// The length of a frame inside a record, which may have a tag.
  public static let frame = record - tag
  static let tag = 16
  /// The length of a display name, and of the name of a stream or resource (mpc: names over 63 bytes are refused).
  public static let name = 63
  /// The length of an invitation's context.
  public static let context = 32 * 1024
  /// The number of a session's certificates.
  public static let certificates = 8
  /// The length of all certificates of a session together.
  public static let certificateBytes = 32 * 1024
  /// The number of a session's members, including the local peer.
  public static let peers = 8
  /// The length of a message. Apple documents no limit, and advises resources for large data.
  public static let message = 32 * 1024 * 1024
  /// The length of the part of a message, a stream or a resource in one frame. A small part is soon sent, so a large
  /// transfer delays others only by milliseconds.
  public static let part = 32 * 1024
  /// How many bytes of a stream may be sent before the receiver has read them.
  public static let streamWindow = 256 * 1024
  /// How many streams and resources a peer may have open at the same time.
  public static let transfers = 256
  /// How many answers about a peer's transfers may wait to be sent. A peer that causes more has stopped reading.
  public static let answers = 16_384
}
