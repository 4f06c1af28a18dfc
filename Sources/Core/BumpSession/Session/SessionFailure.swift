public import BumpWire

/// Why a session ended without a handover.
public enum SessionFailure: Hashable, Sendable, CustomStringConvertible {
  /// The other end closed the connection.
  case closed
  /// The other end did not answer in time.
  case timedOut
  /// This process stood still past its deadline, so it is unknown whether the other end answered in time.
  case stoodStill
  /// The person here took longer than our HOLD had announced.
  case unanswered
  /// The person there took longer than the other end's HOLD had announced.
  case unansweredThere
  /// The sender's time was up before it had received our HELLO.
  case tooLate
  /// The sender answered HELLO with `busy`: it serves other receivers, or this host has had its attempts at the digits.
  case notAdmitted
  /// The sender ended because three wrong codes were tried, none of them ours.
  case codeBurnt
  /// The sender offered a card or a link, and this receiver takes none.
  case takesNoDocuments
  /// The receiver could not save the document, or found that it was not the offered one.
  case notTaken
  /// The sender gave up while its offer waited here behind another sender's.
  case keptWaiting
  /// The session ended while the receiver had this sender in its queue.
  case noTurn
  /// The store here took longer than the other end waits.
  case overdue
  /// The sender is in this mode, which does not fit our code, our key, or that we have neither.
  case otherMode(Mode)
  /// The other end violated the protocol.
  case protocolViolation
  /// What the other end sent was not authentic in this session.
  case authentication
  /// The other end aborted, for this reason. It is only a hint: anybody can send it.
  case aborted(AbortReason)
  /// The bump did not need the session: another was quicker, or the bump was over.
  case dismissed(AbortReason)

  public var description: String {
    switch self {
    case .closed: "the connection was closed"
    case .timedOut: "no answer in time"
    case .stoodStill: "this process was suspended past the time limit"
    case .unanswered: "nobody answered here in time"
    case .unansweredThere: "nobody answered there in time"
    case .tooLate: "the sender's time was up"
    case .notAdmitted: "the sender does not admit this receiver now"
    case .codeBurnt: "the sender's code was burnt"
    case .takesNoDocuments: "the sender offers a card or a link"
    case .notTaken: "the receiver could not store it"
    case .keptWaiting: "this receiver waited for another sender"
    case .noTurn: "the turn in the receiver's queue did not come"
    case .overdue: "the store here took too long"
    case .otherMode(let mode): "the sender is in mode \(mode)"
    case .protocolViolation: "not what the protocol allows"
    case .authentication: "not made with this session's keys"
    case .aborted(let reason): "the other end gave up: \(reason.words)"
    case .dismissed(let reason): "ended here: \(reason.words)"
    }
  }

  /// Whether the bump ended the session: nothing went wrong in it. With `.authentication`, others burnt the code.
  var isOurChoice: Bool {
    switch self {
    case .dismissed(.busy), .dismissed(.timedOut), .dismissed(.shuttingDown), .dismissed(.authentication): true
    default: false
    }
  }

  /// The reason to send to the other end; `nil` if the other end has closed the connection, or knows the reason.
  var reason: AbortReason? {
    switch self {
    case .closed, .unansweredThere, .tooLate, .notAdmitted, .codeBurnt, .keptWaiting, .aborted, .notTaken: nil
    case .takesNoDocuments: .documents
    case .timedOut, .stoodStill, .unanswered, .noTurn, .overdue: .timedOut
    case .otherMode: .mode
    case .protocolViolation: .protocolError
    case .authentication: .authentication
    case .dismissed(let reason): reason
    }
  }
}

extension AbortReason {
  /// The reason as a phrase, for a person.
  public var words: String {
    switch self {
    case .version: "it speaks another version of the protocol"
    case .mode: "both sides need the same code or key, or neither has one"
    case .busy: "it is busy with another"
    case .protocolError: "it did not understand a message"
    case .authentication: "it received a message that was not authentic"
    case .timedOut: "it waited too long"
    case .shuttingDown: "it is shutting down"
    case .documents: "it takes no cards or links"
    }
  }
}
