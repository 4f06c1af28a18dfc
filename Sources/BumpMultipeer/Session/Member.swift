/// What a session is to a peer, as its program is told.
public enum MemberState: Sendable, Hashable {
  case notConnected, connecting, connected
}

/// Another member of a session, and the links to it. There is one link, but for the moment in which two cross.
struct Member: Sendable {
  let peer: Peer
  var links: Set<LinkID> = []
  /// The link that frames are sent on, once the program has been told that the member is connected.
  var connected: LinkID?
  /// The other end's session, once it has said it.
  var session: PeerID?
  /// Where others reach it.
  var host: HostAddress?
  /// Whom it is connected to, by its own word.
  var roster: Set<PeerID> = []
}

/// The number of a link, given by the driver.
public typealias LinkID = Int

/// A link of a session.
struct SessionLink: Sendable {
  var link: Link
  let peer: Peer
  /// Whether this end opened it.
  let isOurs: Bool
  /// Whether it is this end's invitation: then the program is told that it came to nothing.
  var isInvitation = false
  /// Where it leads from and to, as the system says.
  let route: Route
  /// Whether this end has said that it takes the other's certificates.
  var isJudged = false
}

/// Both ends of a connection, as the system says: ports are those of the connection.
public struct Route: Sendable, Hashable {
  /// This end.
  public var local: HostAddress
  /// The other end.
  public var remote: HostAddress

  /// Makes a route.
  public init(local: HostAddress, remote: HostAddress) {
    self.local = local
    self.remote = remote
  }
}
