package import BumpMultipeer

/// What goes wrong on purpose with the peers of a node. It is asked wherever a browser, an advertiser or a session would do as
/// it should. No program has any unless it was told so.
package protocol PeerFaults: Sendable {
  /// How long links wait.
  var times: LinkTimes { get }
  /// Whether browsers do not notice that a peer is gone, or what it says of itself has changed.
  var hidesLosses: Bool { get }
  /// How much of a resource is sent, in percent; `nil` for all of it.
  var resourceStop: Int? { get }

  /// A peer begins to browse or to advertise; not `nil` where it cannot.
  func begins(_ activity: PeerActivity, _ peer: Peer) -> PeerRefusal?
  func ends(_ activity: PeerActivity, _ peer: Peer)
  /// What a browser's program is told of what was seen, and when; `nil` for what it is told as it begins.
  func reports(of seen: PeerSighting?, to browser: Peer, at now: Moment) -> [(at: Moment, PeerSighting)]
  /// Whether that is still to be told.
  func isDue(_ sighting: PeerSighting, to browser: Peer) -> Bool

  /// What becomes of an invitation.
  func fate(ofInvitationBy peer: Peer, to other: Peer, timeout: Duration) -> InvitationFate
  /// Whether an invitation arrives at a peer, which receives a resource or does not.
  func arrives(at peer: Peer, isBusy: Bool) -> Bool
  /// How long a peer's program takes at least to answer an invitation.
  func delay(ofAnswerBy peer: Peer) -> Duration
  /// What a session says of itself; it begins now.
  func terms(_ terms: Terms) -> Terms
  /// How many members a session of a peer has at most, that peer among them.
  func room(of peer: Peer) -> Int
  /// What a program says of a certificate; `nil` for nothing.
  func verdict(_ isTaken: Bool, of peer: Peer) -> Bool?
  /// After how long a program is told that a peer is not connected, which it is.
  func falseDrop(of peer: Peer) -> Duration?
  /// The unreliable messages that are sent now instead of one: `overtaken` waits for the next.
  func unreliable(_ message: [UInt8], overtaken: inout [UInt8]?) -> [[UInt8]]
}

/// What a peer does to be found, or to find.
package enum PeerActivity: Sendable, Hashable {
  case browsing, advertising
}

/// Why a peer can do neither: with this code of `NSNetServicesErrorDomain`, or `nil` where no error comes.
package struct PeerRefusal: Sendable {
  package let code: Int?
  package init(code: Int?) { self.code = code }
}

/// What a browser sees.
package enum PeerSighting: Sendable, Hashable {
  case found(Peer, [String: String]?)
  case lost(Peer)
}

/// What becomes of an invitation.
package struct InvitationFate: Sendable {
  /// How long its answer is waited for.
  package var timeout: Duration
  /// When the program is told that nobody has answered, though the answer counts.
  package var falseEnd: Duration?
  /// Whether it is for a peer that is no more: nobody answers it.
  package var isToNobody = false

  package init(timeout: Duration) { self.timeout = timeout }
}
