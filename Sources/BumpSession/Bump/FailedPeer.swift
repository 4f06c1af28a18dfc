public import BumpWire

/// The other end of a bump that was found and took no part in the claim's handing over, and why. All of it but the reason
/// is a stranger's word.
public struct FailedPeer: Hashable, Sendable {
  /// How far it came with this one. More reasons may come: keep a `default` case.
  public enum Reason: Hashable, Sendable {
    /// It is announced, and no address came for it.
    case notResolved
    /// It is announced, and its turn did not come: there was no time, or no draw of digits left.
    case notTried
    /// It was not tried: its record names another mode than would do here, or another channel than that of the code.
    case passedOver
    /// It was not tried: its address is not on a link of this host.
    case offLink
    /// There is no way to its address, or its address is nobody's.
    case unreachable
    /// Nothing answered the connecting: a firewall drops it, or the host hangs.
    case connectTimedOut
    /// Its host refused the connection: nothing listens there, or a firewall says so.
    case refused
    /// A receiver closed before it showed anything: to ask its person for a code, or since it only looked who is there.
    case leftEarly
    /// It was connected to, and never said WELCOME in the time there was.
    case mute
    /// It asks for a code, and none was given here.
    case codeWanted
    /// It speaks an older version of the protocol, in which nobody can be remembered.
    case olderSender
    /// The two ends have different codes.
    case wrongCode
    /// The two ends have different keys.
    case wrongKey
    /// Its offer had expired.
    case expired
    /// Its offer was not from the sender that was named.
    case unwanted
    /// The person there said no.
    case declinedThere
    /// A receiver declined without asking anybody: as a rule since the offer has expired by its clock.
    case declinedAtOnce
    /// The person here said no.
    case declinedHere
    /// What it sent was not a valid claim.
    case invalidClaim
    /// The session failed.
    case failed(SessionFailure)
  }

  /// A sender's instance name, or what a receiver called itself as it accepted; `nil` where it is not known.
  public var name: String?
  /// Its address and port; `nil` where none is known.
  public var address: String?
  /// The mode that a sender's record names.
  public var mode: Mode?
  /// The channel that a sender's record names.
  public var channel: Int?
  public var reason: Reason

  public init(
    name: String? = nil, address: String? = nil, mode: Mode? = nil, channel: Int? = nil, reason: Reason
  ) {
    (self.name, self.address, self.mode, self.channel) = (name, address, mode, channel)
    self.reason = reason
  }
}

extension FailedPeer.Reason {
  /// The reason in one word, for programs.
  public var word: String {
    switch self {
    case .failed(let failure): failure.word
    default: "\(self)"
    }
  }

  /// How far it came: the greater, the more it tells of what to mend.
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
    case .takesNoDocuments: "takesNoDocuments"
    case .notTaken: "notTaken"
    case .keptWaiting: "keptWaiting"
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
