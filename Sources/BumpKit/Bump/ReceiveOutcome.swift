public import BumpChannel
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
  /// It came to a claim with nobody: not with these senders, which were found, those that came furthest first. Where
  /// there are none, nobody was found. A receive that goes on names none.
  case nobody(NobodyReason, [FailedPeer])
  /// The person here said no, and there was no other sender.
  case declinedHere
  /// The person there said no, and no other sender was found.
  case declinedThere
  /// The offer's time had passed, and no other sender was found.
  case expired
  /// The sender uses this very store: its claim is our own. No other sender was found.
  case ownClaim
  /// The sender asks for a code, and nobody entered one.
  case codeWanted
  /// The sender has another code, and no other sender was found.
  case wrongCode
  /// The sender speaks an older version of the protocol, in which nobody can be remembered, and no other sender was
  /// found. Or somebody says so in its place: nothing was tried again without remembering.
  case olderSender
  /// The senders that were found hold other keys.
  case wrongKey
  /// What a sender sent was not authentic, and no other sender was found.
  case unauthenticated
  /// The task was cancelled. Nothing was received.
  case interrupted
}

extension ReceiveOutcome {
  /// Whether a claim is in the store because of it, or was there.
  var isStored: Bool {
    switch self {
    case .received, .duplicate, .conflicting: true
    default: false
    }
  }

  /// The outcome of storing a claim. A status that says it was not stored is a programmer's error.
  public init(_ claim: VerifiedClaim, _ status: StoredStatus) {
    switch status {
    case .stored: self = .received(claim)
    case .duplicate: self = .duplicate(claim)
    case .storedBesideAnother: self = .conflicting(claim)
    case .notStored, .invalid: preconditionFailure("the claim is not in the store")
    }
  }
}

/// Why nobody was found, or no more senders are tried.
public enum NobodyReason: Hashable, Sendable {
  /// The time was up.
  case timeout
  /// There is no discovery service here.
  case discoveryUnavailable
  /// Sessions came to nothing so often that somebody may be in the middle, drawing digits until those of two screens
  /// agree. No more draws are given.
  case interference
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
  /// The sender that was chosen has gone away, and the search goes on. Show the name as that of `found`.
  case lost(name: String)
  /// An encrypted channel stands with whoever is at this address.
  case connected(peer: String)
  /// The digits that the screen of the sender at this address shows too, unless somebody is in the middle. They may be
  /// shown until that session's `.sessionEnded`.
  case digits(VerificationDigits, peer: String)
  /// What there is to accept.
  case offer(Offer)
  /// The person at this address is asked whether to send, and may take so many seconds, at most 60.
  case deciding(peer: String, seconds: Int)
  /// The session with the sender at this address failed, and the search goes on.
  case sessionFailed(SessionFailure, peer: String)
  /// The session with the sender at this address is over, whatever its result, which is the next event where there is
  /// one. Told of sessions whose digits were told: from now on nobody may compare them.
  case sessionEnded(peer: String)
  /// As many sessions as may in two minutes came to nothing: somebody may be in the middle, drawing digits until those of
  /// two screens agree. For so many seconds nobody is met, and then the receive goes on.
  case interference(seconds: Int)
  /// The person there said no, and the search goes on.
  case declined
  /// Both ends remember each other: the sender under this name here.
  case remembered(DisplayName)
  /// The sender was to be remembered under this name, and neither end remembers the other.
  case notRemembered(DisplayName, NotRemembered)
  /// What became of the claim.
  case stored(StoredStatus)
  /// Of several claims one has come, or come to nothing, and the next is waited for.
  case concluded(ReceiveOutcome)
}
