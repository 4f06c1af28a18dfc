/// The state of a peer in a session, as reported to the program.
public enum MemberState: Sendable, Hashable {
  /// In this order: no link, or none any more; an invitation was accepted, or another member has connected; both
  /// programs have accepted the certificates.
  case notConnected, connecting, connected
}

/// Another member of a session, and the links to it. There is one link, except for the time in which two links cross.
struct Member: Sendable {
  let peer: Peer
  var links: Set<LinkID> = []
  /// The link on which frames are sent, once the program was informed that the member is connected.
  var connected: LinkID?
  /// The address at which other members reach it.
  var host: HostAddress?
  /// The peers that it is connected to, according to its own roster.
  var roster: Set<PeerID> = []
}

/// The number of a link. The driver chooses it, or the mesh for links that the mesh opens.
public typealias LinkID = Int

/// A link of a session.
struct SessionLink: Sendable {
  var link: Link
  let peer: Peer
  /// Whether this end opened the link.
  let isOurs: Bool
  /// Whether the link is this end's invitation. If the invitation fails, the program is informed.
  var isInvitation = false
  /// Both ends of the link, as the system reports them.
  let route: Route
  /// The other end's session and public key, and the TCP port on which members reach it, once its terms have come.
  var terms: (session: PeerID, key: [UInt8], port: UInt16)?
  /// The links of the other end's earlier sessions. They end when this link is connected.
  var predecessors: Set<LinkID> = []
  /// Whether this end has accepted the other end's certificates.
  var isJudged = false
}

/// Both ends of a connection, as the system reports them. The ports are those of the connection.
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
