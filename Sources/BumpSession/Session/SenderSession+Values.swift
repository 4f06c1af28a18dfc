package import BumpChannel
package import BumpClaims
package import BumpWire

// What goes into a session, and what comes out.
extension SenderSession {
  package enum Input: SessionInput {
    case received([UInt8])
    /// The connection was closed.
    case closed
    /// The moment that `deadline` named has come.
    case deadline
    /// Of all that accepted, this one may have the claim.
    case chosen
    /// Another receiver that accepted is decided on first: this one is sent HOLD.
    case queued
    /// Our person's answer.
    case decided(Bool)
    /// Whether the key of `.keep` was kept, durably. It comes before `.released`.
    case kept(RememberAnswer)
    /// The claim was released to this session, durably: one compare-and-set.
    case released
    /// The claim was not released.
    case notReleased(ReleaseFailure)
    /// The release was taken back, durably.
    case takenBack
    /// The release could not be taken back.
    case notTakenBack
    /// The bump has no more use for this session.
    case dismissed(AbortReason)
  }

  package enum Output: Equatable, SessionOutput {
    case send([UInt8])
    /// The channel is established: these are the digits on both screens.
    case secured(VerificationDigits)
    /// The other end asks its person, who may take so many seconds.
    case held(seconds: UInt8)
    /// NOISE_1 did not open with our code: somebody guessed, or mistyped.
    case guessed
    /// The other end accepted the offer: it may be chosen.
    case accepted(DisplayName)
    /// Ask our person, who has until the session's `deadline`.
    case ask(DisplayName, VerificationDigits)
    /// Release the claim durably: `.released` or `.notReleased` is the answer. The receiver may take the claim, or answer,
    /// for so long at most.
    case release(DisplayName, within: Duration)
    /// The claim was released, and is not sent: take the release back. `.takenBack` or `.notTakenBack` is the answer.
    case takeBack
    /// Both ends want to remember each other: keep this key, and say whether that was done: `.kept`.
    case keep(SharedKey)
    /// What became of our wish to remember the other end.
    case remembering(Remembering)
    /// So many bytes of the document are sent.
    case progress(Int, of: Int)
    case ended(Ending)
  }

  /// What the receiver is offered. Behind ACCEPT each has states of its own.
  enum Subject: Sendable {
    case claim(Claim, Offer)
    case document(OfferedDocument)
  }

  package enum Ending: Hashable, Sendable {
    /// The claim, or the document, is there for good.
    case delivered(StoreResult, DisplayName)
    /// The claim was released, or the whole document sent, and no valid answer came: it may be there.
    case unknown(DisplayName, StoredStatus?)
    /// The person there said no.
    case declinedThere
    /// DECLINE came without HOLD: nobody was asked there. A receiver says so of an offer that has expired by its clock.
    case declinedAtOnce
    /// The person here said no.
    case declinedHere(DisplayName)
    /// The receiver closed after WELCOME, before a guess or a draw: to ask its person for a code, to try another sender
    /// first, or since it only wanted to know who is there.
    case leftEarly
    /// The claim could not be released.
    case notReleased(ReleaseFailure)
    case failed(SessionFailure)
  }
}
