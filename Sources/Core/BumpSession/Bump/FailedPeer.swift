public import BumpWire

/// A peer that was found but did not complete a handover, and why. Except for the reason, the values come from the peer
/// and are not authenticated.
public struct FailedPeer: Hashable, Sendable {
  /// How far the bump with this peer got. More reasons may be added: keep a `default` case.
  public enum Reason: Hashable, Sendable {
    /// The sender is announced, but no address was resolved.
    case notResolved
    /// The sender is announced, but it was not tried: there was no time, or no attempt at the digits left.
    case notTried
    /// The sender was not tried: its record names another mode than the one wanted, or another channel than that of the
    /// code, or it has another name than the wanted one and no sender had that.
    case passedOver
    /// The sender was not tried: its address is not on a link of this host.
    case offLink
    /// There is no route to the sender's address, or no host has the address.
    case unreachable
    /// The connection attempt got no answer: a firewall drops it, or the host hangs.
    case connectTimedOut
    /// The host refused the connection: no program listens on the port, or a firewall rejects it.
    case refused
    /// A receiver disconnected before it used a try of the code or an attempt at the digits: to ask its person for a
    /// code, or because it only looked for senders.
    case leftEarly
    /// The sender was connected to, but sent no WELCOME in time.
    case mute
    /// The sender requires a code, and none was given here.
    case codeWanted
    /// The two ends have different codes.
    case wrongCode
    /// The two ends have different keys.
    case wrongKey
    /// The offer had expired.
    case expired
    /// The offer was not from the sender that was asked for.
    case unwanted
    /// The person there said no.
    case declinedThere
    /// A receiver declined without asking its person, usually because the offer has expired by its clock.
    case declinedAtOnce
    /// The person here said no.
    case declinedHere
    /// The sender sent an invalid claim or document.
    case invalidClaim
    /// The session failed.
    case failed(SessionFailure)
  }

  /// The instance name of a sender, or the name that a receiver gave itself when it accepted; `nil` if unknown.
  public var name: String?
  /// The peer's address and port; `nil` if unknown.
  public var address: String?
  /// The mode that a sender's record names.
  public var mode: Mode?
  /// The channel that a sender's record names.
  public var channel: Int?
  /// Why nothing was handed over.
  public var reason: Reason

  /// Makes a description of a failed peer.
  public init(
    name: String? = nil, address: String? = nil, mode: Mode? = nil, channel: Int? = nil, reason: Reason
  ) {
    (self.name, self.address, self.mode, self.channel) = (name, address, mode, channel)
    self.reason = reason
  }
}

extension FailedPeer.Reason {
  /// The reason as one word, for programs.
  public var word: String {
    switch self {
    case .notResolved: "notResolved"
    case .notTried: "notTried"
    case .passedOver: "passedOver"
    case .offLink: "offLink"
    case .unreachable: "unreachable"
    case .connectTimedOut: "connectTimedOut"
    case .refused: "refused"
    case .leftEarly: "leftEarly"
    case .mute: "mute"
    case .codeWanted: "codeWanted"
    case .wrongCode: "wrongCode"
    case .wrongKey: "wrongKey"
    case .expired: "expired"
    case .unwanted: "unwanted"
    case .declinedThere: "declinedThere"
    case .declinedAtOnce: "declinedAtOnce"
    case .declinedHere: "declinedHere"
    case .invalidClaim: "invalidClaim"
    case .failed(let failure): failure.word
    }
  }

  /// How far the bump with the peer got. The greater the stage, the more its reason says about what to fix.
  var stage: Int {
    switch self {
    case .notResolved, .notTried: 0
    case .passedOver, .offLink, .leftEarly: 1
    case .unreachable: 2
    case .connectTimedOut: 3
    case .refused: 4
    case .mute: 5
    default: 6
    }
  }
}

extension SessionFailure {
  fileprivate var word: String {
    switch self {
    case .closed: "closed"
    case .timedOut: "timedOut"
    case .stoodStill: "stoodStill"
    case .unanswered: "unanswered"
    case .unansweredThere: "unansweredThere"
    case .tooLate: "tooLate"
    case .notAdmitted: "notAdmitted"
    case .codeBurnt: "codeBurnt"
    case .takesNoDocuments, .aborted(.documents): "takesNoDocuments"
    case .notTaken: "notTaken"
    case .keptWaiting: "keptWaiting"
    case .noTurn: "noTurn"
    case .overdue: "overdue"
    case .protocolViolation: "protocolViolation"
    case .authentication, .aborted(.authentication): "notAuthentic"
    case .aborted(.version), .dismissed(.version): "wrongVersion"
    case .otherMode, .aborted(.mode), .dismissed(.mode): "wrongMode"
    case .aborted(.busy): "busy"
    case .aborted(.protocolError): "notUnderstood"
    case .aborted(.timedOut): "tooSlow"
    case .aborted(.shuttingDown): "shuttingDown"
    case .dismissed: "ended"
    }
  }
}
