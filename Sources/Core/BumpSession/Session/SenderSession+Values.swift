package import BumpClaims
package import BumpWire

// The inputs and outputs of a sender's session.
extension SenderSession {
  package enum Input: SessionInput {
    case received([UInt8])
    /// The connection was closed.
    case closed
    /// The session's `deadline` has passed.
    case deadline
    /// This session's receiver may have the claim, before all others that accepted.
    case chosen
    /// Another receiver that accepted is decided on first: send HOLD to this one.
    case queued
    /// The answer of the person here.
    case decided(Bool)
    /// The result of `.keep`: whether the key was kept, durably. It comes before `.released`.
    case kept(RememberAnswer)
    /// The claim was released to this session, durably, by one compare-and-set in the store.
    case released
    /// The claim was not released.
    case notReleased
    /// The release was undone, durably.
    case takenBack
    /// The release could not be undone.
    case notTakenBack
    /// The bump does not need this session any more.
    case dismissed(AbortReason)
  }

  package enum Output: Equatable, SessionOutput {
    case send([UInt8])
    /// The secure channel is established. Both screens show these digits.
    case secured(VerificationDigits)
    /// The other end asks its person, who may take this many seconds.
    case held(seconds: UInt8)
    /// The receiver serves others first, and has this sender at this place of its queue.
    case placed(UInt8)
    /// NOISE_1 did not open with our code: the receiver guessed or mistyped the code.
    case guessed
    /// The receiver accepted the offer: the session may be chosen.
    case accepted(DisplayName)
    /// Ask the person here, who has time until the session's `deadline`.
    case ask(DisplayName, VerificationDigits)
    /// Release the claim durably; `.released` or `.notReleased` is the answer. The receiver may take the claim, or
    /// answer, for this long at most.
    case release(DisplayName, within: Duration)
    /// Undo the release, since the claim is not sent; `.takenBack` or `.notTakenBack` is the answer.
    case takeBack
    /// Both ends want to remember each other: keep this key; `.kept` is the answer.
    case keep(SharedKey)
    /// Whether both ends remember each other.
    case remembering(Remembering)
    /// This many bytes of the document were sent.
    case progress(Int, of: Int)
    case ended(Ending)
  }

  /// What the sender offers. After ACCEPT, a claim and a document have states of their own.
  package enum Subject: Sendable {
    case claim(Claim, Offer)
    case document(OfferedDocument)
  }

  package enum Ending: Hashable, Sendable {
    /// The receiver has stored the claim, or saved the document.
    case delivered(StoreResult, DisplayName)
    /// The claim was released, or the whole document sent, but no valid answer was received. The receiver may have it.
    case unknown(DisplayName, StoredStatus?)
    /// The person there declined.
    case declinedThere
    /// DECLINE was received without HOLD, so the receiver did not ask its person. A receiver declines in this way if
    /// the offer has expired by its clock.
    case declinedAtOnce
    /// The person here declined.
    case declinedHere(DisplayName)
    /// The receiver disconnected after WELCOME, before it used a try of the code or an attempt at the digits. It may
    /// ask its person for a code or try another sender first, or it only looked for senders.
    case leftEarly
    /// The claim could not be released.
    case notReleased
    case failed(SessionFailure)
  }
}
