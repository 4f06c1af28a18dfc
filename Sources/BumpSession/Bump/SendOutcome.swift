public import BumpChannel
public import BumpClaims
public import BumpDiscovery
public import BumpWire

/// How a send ended.
public enum SendOutcome: Hashable, Sendable {
  /// The receiver has the claim for good.
  case delivered(to: DisplayName, StoreResult)
  /// No receiver took the claim: these came, those that came furthest first. With a link, the claim is marked as
  /// `linkShown`, and the link may be shown; without one the claim is in the state it had before.
  case undelivered(FallbackReason, link: ClaimLink?, [FailedPeer])
  /// The claim was released to this receiver, and no valid answer came: it may be there.
  /// The link is that of the same claim, which can be taken once, whoever is first. It is for this receiver alone: until
  /// `OutgoingClaim.deadline`, which the store has, it may still take the claim from the session, and the store lets nobody
  /// have the link.
  case unknown(DisplayName, link: ClaimLink?)
  /// Three wrong guesses burnt the code, and no link takes its place. This send left the claim in the state it had before.
  case codeBurnt
  /// The person here said no to this receiver, and yes to no other in time. This send left the claim in the state it had
  /// before.
  case declinedHere(DisplayName)
  /// The claim's time was up before it was released to anybody. Nobody can take it any more.
  case expired
  /// Another process changed the claim in the meantime, to this state: its link was shown, it was sent to a receiver,
  /// or its owner settled it. This process sent nothing.
  case changedElsewhere(HandoverState)
  /// The task was cancelled. The claim is in this state, also where another process brought it there.
  case interrupted(HandoverState)
}

/// Why the link takes the place of the bump.
public enum FallbackReason: String, Hashable, Sendable {
  /// Nobody came in time.
  case discoveryTimeout
  /// Somebody came, but no answer did in time.
  case sendTimeout
  /// Nobody can be found: there is no discovery service here.
  case discoveryUnavailable
  /// Whoever came in time declined. Anybody may say so, and the link comes as if they had not come.
  case declined
  /// Sessions failed so often that somebody may be in the middle, drawing digits until those of two screens
  /// agree. No more draws are given for this claim.
  case interference
}

/// What happens during a send, in order.
public enum SendEvent: Hashable, Sendable {
  /// Nobody can find us (any more), for this reason.
  case discoveryLost(DiscoveryError)
  /// Receivers can find us by this name, or reach us at this port. The backend is discovery's, or `none`.
  case advertising(name: String, port: UInt16, backend: String)
  /// An encrypted channel is established with the other end at this address.
  case connected(peer: String)
  /// The digits that the screen of the receiver at this address shows too, unless somebody is in the middle. They may be
  /// shown until that session's `.sessionEnded`.
  case digits(VerificationDigits, peer: String)
  /// The person at this address is asked whether to accept, and may take so many seconds, at most 60.
  case deciding(peer: String, seconds: Int)
  /// A receiver accepted the offer.
  case accepted(DisplayName)
  /// A receiver of this name accepted while the person here decides about another. With it so many wait for that.
  case queued(DisplayName, waiting: Int)
  /// The person here said no to this receiver, and the send goes on. So many others have accepted, of which the first is
  /// asked about next; with none, others are waited for.
  case declinedHere(DisplayName, waiting: Int)
  /// Somebody tried a wrong code: a guess, or a slip. With no try left the code is burnt.
  case wrongGuess(triesLeft: Int)
  /// Another sender announces the channel of the code: it has drawn the same one, or wants to be in the way. Its receiver
  /// may try its code here, which counts as a wrong one. A stranger chose the name: show it through `InstanceName.shown`.
  /// Told once of each name, of 16 at most, and not within the first three seconds.
  case channelShared(name: String, channel: Int)
  /// The session with the receiver at this address failed, and the send goes on. That of a wrong guess is not told.
  case sessionFailed(SessionFailure, peer: String)
  /// The session with the receiver at this address is over, whatever its result, which is the next event where there is
  /// one. Told of sessions whose digits were told: from now on nobody may compare them.
  case sessionEnded(peer: String)
  /// So many bytes of the document were sent.
  case progress(bytes: Int, of: Int)
  /// The claim was sent to the receiver at this address, which may have it from now on. Its answer is waited for.
  case sent(peer: String)
  /// A receiver at this address came again, and is not admitted in this send any more: each address has so many draws of
  /// digits, and the last is kept for another. Told once of each.
  case turnedAway(peer: String)
  /// The person there said no, and the send goes on.
  case declined
  /// A receiver declined without asking anybody: as a rule since the offer has expired by its clock. The send goes on.
  case declinedAtOnce
  /// What became of the claim could not be written down: the store still says that it is released.
  case notRecorded(HandoverState)
  /// The receiver has the claim, as it says later than it was waited for, and the store had it otherwise by then: as
  /// unknown, so that its link may have been shown; as settled, or with its link shown; or as sent to this other receiver.
  /// It is delivered now. Whoever else has it has the same money, of which the first to redeem it has all.
  case stoodOtherwise(HandoverState, with: DisplayName?)
  /// Both ends remember each other: the receiver under this name here.
  case remembered(DisplayName)
  /// The receiver was to be remembered under this name, and neither end remembers the other.
  case notRemembered(DisplayName, NotRemembered)
  /// The receiver's answer was lost. It is remembered under this name here, and may or may not remember us.
  case rememberingUnknown(DisplayName)
  /// The receiver has answered.
  case stored(StoredStatus)
}
