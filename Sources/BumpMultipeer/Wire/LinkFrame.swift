/// What one end of a link says to the other, inside a record.
public enum LinkFrame: Hashable, Sendable {
  /// Invites a peer into a session.
  case invite(Invitation)
  /// Whether the invited peer accepts.
  case answer(Bool)
  /// What this end says of itself. Both ends send it; with an invitation, after it was accepted.
  case terms(Terms)
  /// Whether this end's program takes the other's certificates.
  case verdict(Bool)
  /// The members that this end is connected to, without the two of this link. Sent again where they change.
  case roster([PeerID])
  /// Whom else the other end should connect to.
  case introduce(Introduction)
  /// A part of a message. The messages of a link come one after the other.
  case message(isLast: Bool, isReliable: Bool, part: [UInt8])
  /// What belongs to a stream or a resource.
  case transfer(TransferID, TransferFrame)
  /// Asks whether the other end is there.
  case ping
  /// The answer to it.
  case pong
  /// The last frame of an end.
  case goodbye(Goodbye)
}

/// The number of a stream or a resource: each end counts what it has begun itself, from 0.
public typealias TransferID = UInt32

/// A frame of a stream or a resource. Those of the upper half go from the end that began it to the other.
public enum TransferFrame: Hashable, Sendable {
  case stream(name: String)
  /// - Parameter size: in bytes; `nil` where it is not known before its end.
  case resource(name: String, size: UInt64?)
  case part([UInt8])
  case end
  /// This end gives it up.
  case cancel
  /// From the other end: it takes no more.
  case stop
  /// From the other end: so many more bytes of a stream may be sent.
  case credit(UInt32)
  /// From the other end: the resource has arrived as a whole.
  case received
}

/// An invitation into a session.
public struct Invitation: Hashable, Sendable {
  /// Who invites.
  public var from: Peer
  /// Who is invited: an address may have another peer by now.
  public var to: PeerID
  /// What the inviting program adds. Anyone can send anything.
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
