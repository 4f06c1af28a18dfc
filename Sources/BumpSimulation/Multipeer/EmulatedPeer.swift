import BumpFaults
import BumpMultipeer

/// A session object of an emulated program.
struct EmulatedSession {
  /// What goes between this end and one member.
  struct Traffic {
    var outbox = Outbox()
    var inbox = Inbox()
    /// An unreliable message that the next one overtakes.
    var overtaken: [UInt8]?
    var outgoing: [TransferID: (size: Int, sent: Int)] = [:]
    var incoming: [TransferID: (size: Int, got: Int)] = [:]
    var isPumpDue = false
  }

  var mesh: Mesh
  /// Attempts to connect that it served.
  var attempts = 0
  /// Whether a peer of it dropped.
  var hasEnded = false
  /// Connections that it had.
  var connections = 0
  /// What the program was told last.
  var told: [PeerID: MemberState] = [:]
  var traffic: [PeerID: Traffic] = [:]
  /// The link of each member.
  var links: [PeerID: LinkID] = [:]
}

/// One emulated program and its host.
final class EmulatedPeer {
  let name: String
  let side: FaultSide
  let peer: Peer
  let host: HostAddress
  var program: EmulatedProgram
  var view: FaultyView<String>
  var sessions: [EmulatedSession] = []
  /// Which session has a link.
  var owners: [LinkID: Int] = [:]
  /// Connections that are no session's yet.
  var awaited: [LinkID: (link: Link, route: Route)] = [:]
  /// Members who have come before their introduction.
  var early: [LinkID: [UInt8]] = [:]
  var nextLink: LinkID = 0
  var isBrowsing = false
  var isAdvertising = false
  /// In the background: nothing runs.
  var isAway = false
  /// Gone for good.
  var isGone = false
  /// The peers that it has found, in order.
  var found: [String] = []
  /// What it knows of them.
  var infos: [String: [String: String]] = [:]
  /// Whom it invites at the moment.
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

  /// Whether it does anything at all.
  var runs: Bool { !isAway && !isGone }

  /// When something of it is due.
  var deadline: Moment? {
    guard runs else { return nil }
    return (sessions.map(\.mesh.deadline) + awaited.values.map(\.link.deadline)).compactMap(\.self).min()
  }
}
