/// A frame of a link, sent inside a record.
public enum LinkFrame: Hashable, Sendable {
  /// Invites a peer into a session.
  case invite(Invitation)
  /// Whether the invited peer accepts.
  case answer(Bool)
  /// The terms of this end, and the proof of its key. Both ends send them; with an invitation, after it was accepted.
  case terms(Terms, IdentityProof)
  /// Whether this end's program accepts the other end's certificates.
  case verdict(Bool)
  /// The members that this end is connected to, without the two of this link. Sent again when they change.
  case roster([PeerID])
  /// Introduces the other end to a member to which it should connect.
  case introduce(Introduction)
  /// A part of a message. The messages of a link follow one after the other.
  case message(isLast: Bool, isReliable: Bool, part: [UInt8])
  /// A frame of a stream or a resource.
  case transfer(TransferID, TransferFrame)
  /// Asks whether the other end is there.
  case ping
  /// The answer to `ping`.
  case pong
  /// The last frame that an end sends, with its reason.
  case goodbye(Goodbye)
}

/// The number of a stream or a resource. Each end counts those that it has opened, from 0.
public typealias TransferID = UInt32

/// A frame of a stream or a resource. The end that opened the transfer sends the cases up to `cancel`.
public enum TransferFrame: Hashable, Sendable {
  /// Opens a stream. Its name has 1 to 63 bytes of UTF-8.
  case stream(name: String)
  /// Opens a resource. Its name has 1 to 63 bytes of UTF-8.
  ///
  /// - Parameter size: the size in bytes; `nil` if it is not known in advance.
  case resource(name: String, size: UInt64?)
  /// The next bytes of the stream or resource: 1 to `MultipeerLimits.part`, and of a stream no more than its credit.
  case part([UInt8])
  /// The end of a stream, or of a resource whose parts have all been sent.
  case end
  /// The transfer is cancelled.
  case cancel
  /// From the other end: it takes no more of the transfer.
  case stop
  /// From the other end: this many more bytes of the stream may be sent.
  case credit(UInt32)
  /// From the other end: all of the resource has arrived.
  case received
}

/// An invitation into a session.
public struct Invitation: Hashable, Sendable {
  /// The inviting peer.
  public var from: Peer
  /// The invited peer. By now, another peer may listen at its address.
  public var to: PeerID
  /// The bytes that the inviting program adds. Nothing has checked them.
  public var context: [UInt8]?

  /// Makes an invitation.
  ///
  /// - Precondition: the context has at most 32 KiB.
  public init(from: Peer, to: PeerID, context: [UInt8]? = nil) {
    precondition((context?.count ?? 0) <= MultipeerLimits.context)
    self.from = from
    self.to = to
    self.context = context
  }
}
