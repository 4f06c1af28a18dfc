/// The wire's limits. Lengths are in bytes.
public enum MultipeerLimits {
  /// A record without its length field: a message of the Noise Protocol Framework, revision 34, §3.
  public static let record = 65_535
  /// A frame inside a record, which may have a tag.
  public static let frame = record - tag
  static let tag = 16
  /// A display name, and the name of a stream or resource (mpc: names over 63 bytes are refused).
  public static let name = 63
  /// The context of an invitation.
  public static let context = 32 * 1024
  /// The certificates of a session: how many, and how long all of them together.
  public static let certificates = 8
  public static let certificateBytes = 32 * 1024
  /// The members of a session, the local peer among them.
  public static let peers = 8
  /// A message. Apple documents no limit, and advises resources for large data.
  public static let message = 32 * 1024 * 1024
  /// What one frame carries of a message, a stream or a resource. A small part is soon sent, so a large transfer keeps
  /// others waiting for milliseconds only.
  public static let part = 32 * 1024
  /// What the sender of a stream may have sent before the receiver has read it.
  public static let streamWindow = 256 * 1024
  /// Streams and resources that a peer may have open at once.
  public static let transfers = 256
}
