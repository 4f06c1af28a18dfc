public import BumpWire

/// Why a session ended without a claim changing hands.
public enum SessionFailure: Hashable, Sendable, CustomStringConvertible {
  /// The other end closed the connection.
  case closed
  /// The other end took too long.
  case timedOut
  /// This process stood still past its time, so it is not known whether the other end answered in time.
  case stoodStill
  /// Our person took longer than we had announced.
  case unanswered
  /// The person there took longer than the other end had announced.
  case unansweredThere
  /// The sender's time was up before it had heard of us.
  case tooLate
  /// The sender answered HELLO with busy: it serves others, or this host has had its draws of digits.
  case notAdmitted
  /// The sender ended since three wrong codes were tried, and had not had ours.
  case codeBurnt
  /// The receiver takes no documents, and a document was offered here.
  case takesNoDocuments
  /// The receiver could not store the document that it was sent, or found it wrong.
  case notTaken
  /// The sender gave up while its offer waited here for another sender's.
  case keptWaiting
  /// Our store took longer than the other end waits.
  case overdue
  /// The sender is in this mode, which is not that of the code or key that was given here, or of none.
  case otherMode(Mode)
  /// The other end said or did what the protocol does not allow.
  case protocolViolation
  /// What the other end sent was not made with this session's keys.
  case authentication
  /// The other end gave up, and said why. A hint: anybody can say so.
  case aborted(AbortReason)
  /// We had no use for it: another was quicker, or the bump was over.
  case dismissed(AbortReason)

  public var description: String {
    switch self {
    case .closed: "the connection was closed"
    case .timedOut: "no answer in time"
    case .stoodStill: "this process stood still for too long"
    case .unanswered: "nobody answered here in time"
    case .unansweredThere: "nobody answered there in time"
    case .tooLate: "the sender's time was up"
    case .notAdmitted: "the sender admits us not now"
    case .codeBurnt: "the sender's code was burnt"
    case .takesNoDocuments: "the receiver takes no cards or links"
    case .notTaken: "the receiver could not store it"
    case .keptWaiting: "another sender was waited for here"
    case .overdue: "the store here took too long"
    case .otherMode(let mode): "the sender is in mode \(mode)"
    case .protocolViolation: "not what the protocol allows"
    case .authentication: "not made with this session's keys"
    case .aborted(let reason): "the other end gave up: \(reason.words)"
    case .dismissed(let reason): "ended here: \(reason.words)"
    }
  }

  /// Whether it is the bump that had no more use for the session: nothing went wrong in it. With `.authentication` a code
  /// was burnt by others.
  var isOurChoice: Bool {
    switch self {
    case .dismissed(.busy), .dismissed(.timedOut), .dismissed(.shuttingDown), .dismissed(.authentication): true
    default: false
    }
  }

  /// The reason that is sent to the other end; `nil` where that is gone, or knows.
  var reason: AbortReason? {
    switch self {
    case .closed, .unansweredThere, .tooLate, .notAdmitted, .codeBurnt, .keptWaiting, .aborted, .notTaken: nil
    case .takesNoDocuments: .version
    case .timedOut, .stoodStill, .unanswered, .overdue: .timedOut
    case .otherMode: .mode
    case .protocolViolation: .protocolError
    case .authentication: .authentication
    case .dismissed(let reason): reason
    }
  }
}

extension AbortReason {
  /// The reason in words, for a person.
  public var words: String {
    switch self {
    case .version: "it speaks another version of the protocol"
    case .mode: "both sides need the same code or key, or neither has one"
    case .busy: "it is busy with another"
    case .protocolError: "it did not understand what it was sent"
    case .authentication: "what it was sent was not authentic"
    case .timedOut: "it waited too long"
    case .shuttingDown: "it is shutting down"
    }
  }
}
