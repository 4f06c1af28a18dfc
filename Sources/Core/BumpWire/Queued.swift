/// QUEUED before the handshake: the receiver serves others first, and tells the sender its place in the queue. In the
/// channel, `Message.queued` says the same.
public struct Queued: Hashable, Sendable {
  /// The length of the tag, in bytes.
  public static let tagLength = 8

  /// The sender's place, at most `WireLimits.places`: 1 for the sender that is served next.
  public let place: UInt8
  /// Proves that the receiver holds the shared key. All zero outside mode key.
  public let tag: [UInt8]

  /// Makes a QUEUED with a tag of `Credential.tag`.
  public init(place: UInt8, tag: [UInt8]) {
    self.place = place
    self.tag = tag
  }

  /// The QUEUED as a frame.
  public var frame: Frame { Frame(.queued, [place] + tag) }

  /// Reads a QUEUED. Check its tag next.
  ///
  /// - Throws: `WireError.message` for a place that no queue has.
  public init(_ frame: Frame) throws(WireError) {
    guard frame.type == .queued, let place = frame.body.first, WireLimits.places.contains(place) else {
      throw WireError(.message, "a place that no queue has")
    }
    self.init(place: place, tag: Array(frame.body.dropFirst()))
  }
}
