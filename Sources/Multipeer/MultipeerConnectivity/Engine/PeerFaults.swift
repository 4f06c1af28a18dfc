package import BumpMultipeer

/// The faults that are injected into the peers of a node. Browsers, advertisers and sessions ask it before they act. A
/// node has none unless its program or a test sets one.
package protocol PeerFaults: Sendable {
  /// The time limits of links.
  var times: LinkTimes { get }
  /// Whether browsers miss that a peer is gone, or that its discovery info has changed.
  var hidesLosses: Bool { get }
  /// After how many percent of a resource sending stops; `nil` to send all of it.
  var resourceStop: Int? { get }

  /// Records that a peer begins to browse or to advertise. Returns the refusal if it cannot, otherwise `nil`.
  func begins(_ activity: PeerActivity, _ peer: Peer) -> PeerRefusal?
  func ends(_ activity: PeerActivity, _ peer: Peer)
  /// Returns what to report to a browser's program for a sighting, and when. `nil` stands for the start of browsing.
  func reports(of seen: PeerSighting?, to browser: Peer, at now: Moment) -> [(at: Moment, PeerSighting)]
  /// Returns whether a report that has become due is still to be made.
  func isDue(_ sighting: PeerSighting, to browser: Peer) -> Bool

  /// Returns what happens to an invitation.
  func fate(ofInvitationBy peer: Peer, to other: Peer, timeout: Duration) -> InvitationFate
  /// Returns whether an invitation arrives at a peer. `isBusy` is whether the peer receives a resource at the moment.
  func arrives(at peer: Peer, isBusy: Bool) -> Bool
  /// Returns how long a peer's program takes at least to answer an invitation.
  func delay(ofAnswerBy peer: Peer) -> Duration
  /// Returns the terms that a session sends in place of its own. The session begins now.
  func terms(_ terms: Terms) -> Terms
  /// Returns the greatest number of members in a session of a peer, including that peer.
  func room(of peer: Peer) -> Int
  /// Returns the program's answer to a certificate after faults; `nil` if the program never answers.
  func verdict(_ isTaken: Bool, of peer: Peer) -> Bool?
  /// Returns after how long a program is informed, falsely, that a peer is not connected; `nil` for never.
  func falseDrop(of peer: Peer) -> Duration?
  /// Returns the unreliable messages to send now in place of one. `overtaken` is a message that the next one overtakes.
  func unreliable(_ message: [UInt8], overtaken: inout [UInt8]?) -> [[UInt8]]
}

/// Whether a peer searches for others or can be found.
package enum PeerActivity: Sendable, Hashable {
  case browsing, advertising
}

/// A refusal to browse or to advertise: with this code of `NSNetServicesErrorDomain`, or `nil` if no error is reported.
package struct PeerRefusal: Sendable {
  package let code: Int?
  package init(code: Int?) { self.code = code }
}

/// A sighting of a peer by a browser.
package enum PeerSighting: Sendable, Hashable {
  case found(Peer, [String: String]?)
  case lost(Peer)
}

/// What happens to an invitation.
package struct InvitationFate: Sendable {
  /// How long the inviting end waits for the answer.
  package var timeout: Duration
  /// When the inviting program is informed that there was no answer, although a later answer counts.
  package var falseEnd: Duration?
  /// Whether the invitation is for a peer that no longer exists, so that nobody answers.
  package var isToNobody = false

  package init(timeout: Duration) { self.timeout = timeout }
}
