package import BumpChannel
package import BumpClaims
package import BumpWire

// What goes into a session, and what comes out.
extension ReceiverSession {
  package enum Input: SessionInput {
    /// The connection is established: HELLO is due.
    case opened
    case received([UInt8])
    /// After `.ready`: NOISE_1 may be written.
    case proceed
    /// The connection was closed.
    case closed
    /// The moment that `deadline` named has come.
    case deadline
    /// Of all the offers, this one is to be decided.
    case chosen
    /// Our person's answer.
    case decided(Bool)
    /// Whether the key of `.keep` was kept, durably, with the claim. It comes before `.stored`.
    case kept(RememberAnswer)
    /// The claim is in the store, durably: it was stored, or was there.
    case stored(StoreResult)
    /// The claim is not in the store, which failed.
    case notStored(StoreError)
    /// The document is saved, durably, or was saved before.
    case saved(SavedDocument)
    /// The document is not saved.
    case notSaved(DocumentError)
    /// The bump has no more use for this session.
    case dismissed(AbortReason)
  }

  package enum Output: Equatable, SessionOutput {
    case send([UInt8])
    /// WELCOME has come: there is a sender, in this mode.
    case welcomed(Mode)
    /// WELCOME is in mode open, and NOISE_1, which shows our key, waits for `.proceed`.
    case ready
    /// NOISE_1 is on its way in mode code: the sender counts it as a guess, until it opens.
    case guessing
    /// The channel is established: these are the digits on both screens.
    case secured(VerificationDigits)
    /// There is an offer: it may be chosen.
    case offered(Offer)
    /// A document is offered: it may be chosen.
    case documentOffered(DocumentOffer)
    /// Ask our person, who has `Times.hold`.
    case ask(Offer, VerificationDigits)
    /// Ask our person about a document in the same way.
    case askAboutDocument(DocumentOffer, VerificationDigits)
    /// The other end asks its person, who may take so many seconds.
    case held(seconds: UInt8)
    /// Make the claim durable: `.stored` or `.notStored` is the answer.
    case store(VerifiedClaim)
    /// So many bytes of the document are here: told as often as the sender is sent MORE, and at the end.
    case progress(Int, of: Int)
    /// Make the document durable: `.saved` or `.notSaved` is the answer.
    case save(VerifiedDocument)
    /// Both ends want to remember each other: keep this key with the claim that comes next, and say whether that was
    /// done: `.kept`.
    case keep(SharedKey)
    /// What became of our wish to remember the other end.
    case remembering(Remembering)
    case ended(Ending)
  }

  package enum Ending: Hashable, Sendable {
    /// The claim is here for good.
    case received(VerifiedClaim, StoreResult)
    /// The claim came, and could not be made durable.
    case notStored(StoreError)
    /// What came is not a valid claim.
    case invalidClaim
    /// The document is here for good.
    case saved(SavedDocument)
    /// The document came, and could not be made durable.
    case notSaved(DocumentError)
    /// What came is not the document that was offered, or not of its kind.
    case invalidDocument
    /// NOISE_1 could not be written in the time that the sender gives a handshake. The sender may be tried again.
    case passedOver
    /// The sender asks for a code, and we were given none.
    case codeWanted
    /// The sender speaks an older version than what we want needs, or somebody says so in its place.
    case olderSender
    /// We were given a code, and the sender has another.
    case wrongCode
    /// We were given a key, and the sender has another.
    case wrongKey
    /// The offer's time had passed by the clock here as it came: one of the two clocks is wrong.
    case expiredOnArrival
    /// The offer's time passed while it lay here.
    case expired
    /// The offer is not from whom it should be.
    case unwanted
    /// The person there said no.
    case declinedThere
    /// The person here said no.
    case declinedHere
    case failed(SessionFailure)
  }
}
