package import BumpClaims

/// What a sender's bump hands over, a claim or a document, with what only one of the two needs. The bump passes on the
/// requests and the answers, and asks how it ends. Pure.
package protocol Handover: Sendable {
  /// How a bump with it can end.
  associatedtype Outcome: HandoverOutcome
  /// What the driver must carry out for it, durably.
  associatedtype Request: Equatable, Sendable
  /// The answers to requests that concern the whole bump. The others are inputs of a session.
  associatedtype Answer: Sendable

  /// What the sessions offer and send.
  var subject: SenderSession.Subject { get }
  /// Whether the person here wants to remember the receiver.
  var remembers: Bool { get }
  /// When the offer expires, by the time of day; `nil` if it does not.
  var expiry: Expiry? { get }
  /// When the offer expires, as time since the bump began; `nil` if it does not.
  var end: Moment? { get }

  /// Returns the request that a session's output makes; `nil` if it makes none.
  mutating func request(_ output: SenderSession.Output, on id: ConnectionID) -> Request?
  /// Handles an answer.
  ///
  /// - Returns: the input for the session that the answer concerns, if there is one.
  mutating func handle(_ answer: Answer, isInterrupted: Bool) -> (id: ConnectionID, input: SenderSession.Input)?
  /// The end of the bump that an answer has decided; `nil` while the bump continues.
  var conclusion: Result<Outcome, StoreError>? { get }

  /// Returns the request for another way of handing it over, since no receiver took it; `nil` if there is none.
  mutating func fallBack(_ reason: FallbackReason, _ failed: [FailedPeer]) -> Request?

  /// Returns the outcome after a receiver's answer that it has it.
  func delivered(to name: DisplayName, _ result: StoreResult) -> Outcome
  /// Returns the outcome if a receiver may have it.
  func unknown(_ name: DisplayName, isInterrupted: Bool) -> Outcome
  /// Returns the outcome if no receiver took it.
  func undelivered(_ reason: FallbackReason, _ failed: [FailedPeer]) -> Outcome
  /// The outcome if the bump was interrupted before it was sent.
  var interrupted: Outcome { get }
  /// Returns the outcome if the offer has expired; `nil` if it has not.
  func expired(at now: Moment) -> Outcome?
}

/// The outcomes that every handover has.
package protocol HandoverOutcome: Hashable, Sendable {
  /// Three wrong guesses burnt the code.
  static var codeBurnt: Self { get }
  /// The person here declined this receiver, and approved no other in time.
  static func declinedHere(_ name: DisplayName) -> Self
}

extension SendOutcome: HandoverOutcome {}
extension DocumentOutcome: HandoverOutcome {}
