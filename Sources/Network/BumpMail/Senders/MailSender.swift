/// Where messages go.
package protocol MailSender: Sendable {
  /// The way of the messages, for a person: it names no recipient.
  var name: String { get }

  /// Sends a message. When the call returns, the message is kept by others, or on the disk.
  func send(_ message: OutgoingMessage) async throws(MailFailure)
}

/// The reason why a message was not sent. It contains nothing of the message, and no address.
package struct MailFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What another try can do.
  package enum Kind: Sendable {
    /// It may succeed later: nobody answers, or the server has asked for patience.
    case temporary
    /// It will fail alike: the server refuses the recipient.
    case permanent
    /// It will fail alike for each message, until the operator changes something.
    case configuration
    /// The message may have been sent. Another try may send it twice, which is better than not at all.
    case unknown
  }

  package let kind: Kind
  /// What happened, for the operator.
  package let reason: String
  /// What to try, as a sentence; `nil` if the reason says it, or nothing helps.
  package let remedy: String?

  package init(_ kind: Kind, _ reason: String, remedy: String? = nil) {
    (self.kind, self.reason, self.remedy) = (kind, reason, remedy)
  }

  /// The reason, followed by the remedy as its own sentence.
  package var description: String { remedy.map { "\(reason). \($0)" } ?? reason }
}
