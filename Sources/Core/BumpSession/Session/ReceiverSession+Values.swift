package import BumpClaims
package import BumpWire

// The inputs and outputs of a receiver's session.
extension ReceiverSession {
  /// The settings that all sessions of a bump have in common.
  package struct Settings: Sendable {
    /// The name that the sender is shown.
    let name: DisplayName
    /// Whether the person here is asked before an offer is accepted.
    let asks: Bool
    /// Whether the person here wants to remember the sender, if both meet with a code.
    let remembers: Bool
    /// The senders that are remembered here. Without a credential, one of them is taken by its key.
    let remembered: [RememberedSender]
    /// How long this end waits for the other in total.
    let limit: Duration
    /// Returns the time of day, in seconds since 1970, by which the expiry of offers is judged. The system clock may be
    /// set while the session waits.
    let unixTime: @Sendable () -> Int64

    package init(
      name: DisplayName, asks: Bool, remembers: Bool = false, remembered: [RememberedSender] = [], limit: Duration,
      unixTime: @escaping @Sendable () -> Int64
    ) {
      (self.name, self.asks, self.remembers) = (name, asks, remembers)
      (self.remembered, self.limit, self.unixTime) = (remembered, limit, unixTime)
    }
  }

  package enum Input: SessionInput {
    /// The connection is established: send HELLO.
    case opened
    case received([UInt8])
    /// NOISE_1 may be sent, after `.ready`.
    case proceed
    /// Other senders are served first: this one waits at this place of the queue.
    case placed(UInt8)
    /// The connection was closed.
    case closed
    /// The session's `deadline` has passed.
    case deadline
    /// This session's offer is to be decided now.
    case chosen
    /// The answer of the person here.
    case decided(Bool)
    /// The result of `.keep`: whether the key was kept, durably, with the claim. It comes before `.stored`.
    case kept(RememberAnswer)
    /// The claim is in the store, durably: it was stored now or before.
    case stored(StoreResult)
    /// The claim was not stored: the store failed.
    case notStored(StoreError)
    /// The document is saved, durably: it was saved now or before.
    case saved(SavedDocument)
    /// The document was not saved.
    case notSaved(DocumentError)
    /// The bump does not need this session any more.
    case dismissed(AbortReason)
  }

  /// What the driver does for a session.
  package enum Request: Equatable, Sendable {
    case send([UInt8])
    /// Ask the person here, who has `Times.hold`; `.decided` is the answer.
    case ask(Offer, VerificationDigits)
    /// Ask the person here about a document, who has `Times.hold`; `.decided` is the answer.
    case askAboutDocument(DocumentOffer, VerificationDigits)
    /// Make the claim durable; `.stored` or `.notStored` is the answer.
    case store(VerifiedClaim)
    /// Make the document durable; `.saved` or `.notSaved` is the answer.
    case save(VerifiedDocument)
    /// Both ends want to remember each other: keep this key with the claim of `.store`, which follows; `.kept`, before
    /// `.stored`, is the answer.
    case keep(SharedKey)
    /// Whether both ends remember each other.
    case remembering(Remembering)
  }

  package enum Output: Equatable, SessionOutput {
    /// The bump passes this on to the driver.
    case request(Request)
    /// WELCOME was received: the sender is in this mode.
    case welcomed(Mode)
    /// WELCOME was received in mode open, or in mode key with our key's hint. NOISE_1, which shows our ephemeral key, waits
    /// for `.proceed`.
    case ready
    /// NOISE_1 was sent in mode code. The sender counts it as a guess unless it opens.
    case guessing
    /// The secure channel is established. Both screens show these digits.
    case secured(VerificationDigits)
    /// A claim is offered: the session may be chosen.
    case offered(Offer)
    /// A document is offered: the session may be chosen.
    case documentOffered(DocumentOffer)
    /// The other end asks its person, who may take this many seconds.
    case held(seconds: UInt8)
    /// This many bytes of the document were received. Reported with each MORE, and at the end.
    case progress(Int, of: Int)
    case ended(Ending)

    package static func send(_ bytes: [UInt8]) -> Self { .request(.send(bytes)) }
  }

  package enum Ending: Hashable, Sendable {
    /// The claim is stored.
    case received(VerifiedClaim, StoreResult)
    /// The claim was received but could not be stored.
    case notStored(StoreError)
    /// The sender sent an invalid claim.
    case invalidClaim
    /// The document is saved.
    case saved(SavedDocument)
    /// The document was received but could not be saved.
    case notSaved(DocumentError)
    /// The sender sent another document than it offered, or one that is not of the offered kind.
    case invalidDocument
    /// NOISE_1 could not be sent within the time that the sender allows for a handshake. The sender may be tried again.
    case waitedTooLong
    /// The sender requires a code, and we have none.
    case codeWanted
    /// The sender has another code than ours.
    case wrongCode
    /// The sender has another key than ours.
    case wrongKey
    /// The offer had expired by the clock here when it arrived: one of the two clocks is wrong.
    case expiredOnArrival(secondsAgo: Int64)
    /// The offer expired while it waited here.
    case expired
    /// The offer is not from the wanted sender.
    case unwanted
    /// The person there declined.
    case declinedThere
    /// The person here declined.
    case declinedHere
    case failed(SessionFailure)
  }
}
