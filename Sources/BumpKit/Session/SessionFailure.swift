public import BumpWire

/// Why a session ended without a claim changing hands.
public enum SessionFailure: Hashable, Sendable, CustomStringConvertible {
  /// The other end closed the connection.
  case closed
  /// The other end took too long.
  case timedOut
  /// Our person took longer than we had announced.
  case unanswered
  /// The person there took longer than the other end had announced.
  case unansweredThere
  /// The sender's time was up before it had heard of us.
  case tooLate
  /// Our store took longer than the other end waits.
  case overdue
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
    case .unanswered: "nobody answered here in time"
    case .unansweredThere: "nobody answered there in time"
    case .tooLate: "the sender's time was up"
    case .overdue: "the store here took too long"
    case .protocolViolation: "not what the protocol allows"
    case .authentication: "not made with this session's keys"
    case .aborted(let reason): "the other end gave up: \(reason.words)"
    case .dismissed(let reason): "ended here: \(reason.words)"
    }
  }

  /// Whether it is the bump that had no more use for the session: nothing went wrong in it.
  var isOurChoice: Bool {
    switch self {
    case .dismissed(.busy), .dismissed(.timedOut), .dismissed(.shuttingDown): true
    default: false
    }
  }

  /// What the other end is told, where it is still there to be told.
  var reason: AbortReason? {
    switch self {
    case .closed, .unansweredThere, .tooLate, .aborted: nil
    case .timedOut, .unanswered, .overdue: .timedOut
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
