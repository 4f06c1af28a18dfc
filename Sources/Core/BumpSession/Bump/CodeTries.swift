import BumpWire

/// The codes that were tried, and the senders that each was tried with. Pure.
struct CodeTries: Sendable {
  /// The senders that the digits of each code were tried with. The channel is not part of the secret: the same digits
  /// with another channel get no more guesses.
  private var senders: [OneTimeCode.Digits: Set<SenderConnector.SenderID>] = [:]
  /// When a sender last rejected the code.
  var lastRejection = Moment.zero
  /// Whether a sender that the code was tried with ended the session without an answer.
  var hasUnanswered = false

  /// How many codes were tried.
  var count: Int { senders.count }

  /// Whether a code was tried with any sender.
  func contains(_ code: OneTimeCode) -> Bool { senders[code.digits] != nil }

  /// Returns the senders that a code was tried with.
  func senders(of code: OneTimeCode) -> Set<SenderConnector.SenderID> { senders[code.digits] ?? [] }

  /// Notes a sender that a code is tried with.
  mutating func add(_ sender: SenderConnector.SenderID, _ code: OneTimeCode) {
    senders[code.digits, default: []].insert(sender)
  }
}
