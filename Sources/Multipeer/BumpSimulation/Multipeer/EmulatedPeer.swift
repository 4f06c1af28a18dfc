import BumpFaults
import BumpMultipeer

/// A session object of an emulated program.
struct EmulatedSession {
  /// The frames between this end and one member.
  struct Traffic {
    var outbox = Outbox()
    var inbox = Inbox()
    /// An unreliable message that waits for the next one to overtake it.
    var overtaken: [UInt8]?
    var outgoing: [TransferID: (size: Int, sent: Int)] = [:]
    var incoming: [TransferID: (size: Int, got: Int)] = [:]
    var isPumpDue = false
  }

  var mesh: Mesh
  /// How many invitations the session has sent.
  var attempts = 0
  /// Whether a connection or an invitation of the session has ended.
  var hasEnded = false
  /// How many connections the session has opened, or accepted by an invitation.
  var connections = 0
  /// The states last reported to the program.
  var told: [PeerID: MemberState] = [:]
  var traffic: [PeerID: Traffic] = [:]
  /// The link to each member.
  var links: [PeerID: LinkID] = [:]
}

/// One emulated program and its host.
final class EmulatedPeer {
  let name: String
  let side: FaultSide
  let peer: Peer
  let host: HostAddress
  let key = IdentityKey()
  var program: EmulatedProgram
  var view: FaultyView<String>
  var sessions: [EmulatedSession] = []
  /// The session of each link.
  var owners: [LinkID: Int] = [:]
  /// Connections that belong to no session yet.
  var awaited: [LinkID: (link: Link, route: Route)] = [:]
  /// The tickets of members that have connected before this end was introduced to them.
  var early: [LinkID: [UInt8]] = [:]
  var nextLink: LinkID = 0
  var isBrowsing = false
  var isAdvertising = false
  /// Whether the program is in the background, where nothing runs.
  var isAway = false
  /// Whether the host is gone for good.
  var isGone = false
  /// The names of the peers that were found, in order.
  var found: [String] = []
  /// The discovery info reported for each of them.
  var infos: [String: [String: String]] = [:]
  /// The peer that the program is inviting now.
  var attempt: String?
  var lastTarget: String?
  var triesLeft: Int
  var hasLeft = false
  var sends = 0

  init(
    _ name: String, _ side: FaultSide, _ peer: Peer, _ host: HostAddress, _ program: EmulatedProgram, _ plan: FaultPlan
  ) {
    (self.name, self.side, self.peer, self.host, self.program) = (name, side, peer, host, program)
    view = FaultyView(plan, of: name)
    triesLeft = program.tries
  }

  /// Whether the program runs at all.
  var runs: Bool { !isAway && !isGone }

  /// When a link of this peer is due next; `nil` for never.
  var deadline: Moment? {
    guard runs else { return nil }
    return (sessions.map(\.mesh.deadline) + awaited.values.map(\.link.deadline)).compactMap(\.self).min()
  }
}
