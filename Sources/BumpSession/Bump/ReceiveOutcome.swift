public import BumpChannel
public import BumpClaims
public import BumpDiscovery
public import BumpWire

/// How a receive ended.
public enum ReceiveOutcome: Hashable, Sendable {
  /// The claim is here for good, and was not before: the only outcome to credit somebody for.
  case received(VerifiedClaim)
  /// This very claim was received before, and is here once. Whoever credits it again pays twice.
  case duplicate(VerifiedClaim)
  /// The claim was stored, though another claim with its id is here: one of the two at most is good.
  case conflicting(VerifiedClaim)
  /// No claim was received: not from these senders, which were found, those that came furthest first. Where
  /// there are none, nobody was found. A receive that goes on names none.
  case nobody(NobodyReason, [FailedPeer])
  /// The person here said no, and there was no other sender.
  case declinedHere
  /// The person there said no, and no other sender was found.
  case declinedThere
  /// The offer's time passed while it lay here, and no other sender was found.
  case expired
  /// The offer's time had passed by the clock here as it came, and no other sender was found: one of the two clocks is
  /// wrong.
  case expiredOnArrival
  /// The name that was given was cut, and several senders' names begin so: these, by their number in the list of those
  /// near, as `Receiver.Configuration.position` has it. Nobody was connected to.
  case ambiguous([Int: SenderCandidate])
  /// The sender asks for a code, and nobody entered one.
  case codeWanted
  /// The senders that were found on the code's channel have other codes.
  case wrongCode
  /// The sender speaks an older version of the protocol, in which nobody can be remembered and no documents are sent, or
  /// one of documents only, and no other sender was found. Or somebody says so in its place: nothing was tried again in
  /// another version.
  case olderSender
  /// The senders that were found hold other keys.
  case wrongKey
  /// What a sender sent was not authentic, and no other sender was found.
  case unauthenticated
  /// A claim came, and could not be stored, though the store may take the next. Only a receive that goes on reports this
  /// outcome; otherwise the error is thrown.
  case notStored(StoreError)
  /// A card or a link is in its file for good, as the value says.
  case saved(SavedDocument)
  /// A card or a link came, and could not be saved.
  case notSaved(DocumentError)
  /// The task was cancelled. Nothing was received.
  case interrupted
}

extension ReceiveOutcome {
  /// What became of the claim in the store; `nil` where no claim is there.
  public var stored: StoreResult? {
    switch self {
    case .received: .stored
    case .duplicate: .duplicate
    case .conflicting: .storedBesideAnother
    default: nil
    }
  }

  /// The outcome of storing a claim.
  public init(_ claim: VerifiedClaim, _ result: StoreResult) {
    switch result {
    case .stored: self = .received(claim)
    case .duplicate: self = .duplicate(claim)
    case .storedBesideAnother: self = .conflicting(claim)
    }
  }
}

/// Why nobody was found, or no more senders are tried.
public enum NobodyReason: Hashable, Sendable {
  /// The time was up.
  case timeout
  /// There is no discovery service here.
  case discoveryUnavailable
  /// Sessions failed so often that somebody may be in the middle, drawing digits until those of two screens
  /// agree. No more draws are given.
  case interference
}

/// What is done with a code that was entered.
public enum EnteredCode: String, Hashable, Sendable {
  /// It is tried with the senders on its channel.
  case new
  /// It was tried before, and another sender on its channel is waited for.
  case triedBefore
  /// It was tried before, and is tried with no other sender. The person is asked for another code.
  case spent
}

/// What happens during a receive, in order.
public enum ReceiveEvent: Hashable, Sendable {
  /// Nobody can be found (any more), for this reason.
  case discoveryLost(DiscoveryError)
  /// Senders are being looked for. The backend is discovery's, or `none`.
  case browsing(backend: String)
  /// A sender's instance name came up. A stranger chose it: show it through `InstanceName.shown`.
  case found(name: String)
  /// A sender that was found is described by its record, and then has an address. All of it is a stranger's word.
  case resolved(name: String, mode: Mode?, channel: Int?, address: String?)
  /// A sender was found that is not the one whose code was given: its record, a stranger's word, names another mode or
  /// channel. Senders are looked for further, since the right one may start yet.
  case passedOver(name: String, mode: Mode?, channel: Int?)
  /// A sender on the channel of the code that was given or entered has another code: one was mistyped, or another sender
  /// has drawn the same channel, and the search goes on for that. Its name, where it was found by one, is a stranger's
  /// word: show it through `InstanceName.shown`. So many other codes may be entered here: the third wrong one burns the
  /// sender's. A code that is spent is tried with no other sender.
  case wrongCode(name: String?, peer: String, triesLeft: Int, isSpent: Bool)
  /// A code was entered here.
  case codeEntered(EnteredCode)
  /// The sender that was chosen has gone away, and the search goes on. Show the name as that of `found`.
  case lost(name: String)
  /// An encrypted channel is established with the other end at this address.
  case connected(peer: String)
  /// The digits that the screen of the sender at this address shows too, unless somebody is in the middle. They may be
  /// shown until that session's `.sessionEnded`.
  case digits(VerificationDigits, peer: String)
  /// What there is to accept.
  case offer(Offer)
  /// A card or a link that there is to accept.
  case documentOffer(DocumentOffer)
  /// So many bytes of the document that was accepted are here.
  case progress(bytes: Int, of: Int)
  /// The person at this address decides whether to send, to us or first to a receiver that accepted before, and may take so
  /// many seconds, at most 60. Which of the two, no sender says.
  case deciding(peer: String, seconds: Int)
  /// The session with the sender at this address failed, and the search goes on.
  case sessionFailed(SessionFailure, peer: String)
  /// The session with the sender at this address is over, whatever its result, which is the next event where there is
  /// one. Told of sessions whose digits were told: from now on nobody may compare them.
  case sessionEnded(peer: String)
  /// As many sessions as may in two minutes came to no claim: in so many a person declined, here or there, and so many
  /// failed. Of those somebody may be in the middle, drawing digits until those of two screens agree. For so many seconds
  /// nobody is met, and then the receive goes on.
  case paused(declined: Int, failed: Int, seconds: Int)
  /// The sender of this name at this address is here, and is not asked about for so many seconds: it has had its draws of
  /// digits, and the last is kept for a sender that has had none. Then it is tried again. The name is a stranger's word:
  /// show it through `InstanceName.shown`.
  case heldBack(name: String?, peer: String, seconds: Int)
  /// The person there said no, and the search goes on.
  case declined
  /// Both ends remember each other: the sender under this name here.
  case remembered(DisplayName)
  /// The sender was to be remembered under this name, and neither end remembers the other.
  case notRemembered(DisplayName, NotRemembered)
  /// What became of the claim.
  case stored(StoredStatus)
  /// One of several claims was received, or one bump ended without, and the next is waited for.
  case concluded(ReceiveOutcome)
}
