public import BumpChannel
public import BumpDiscovery
public import BumpWire

/// How a send ended.
public enum SendOutcome: Hashable, Sendable {
  /// The receiver has the claim for good.
  case delivered(to: DisplayName, StoredStatus)
  /// It came to a claim with nobody: not with these receivers, which came, those that came furthest first. With a link,
  /// that is marked as shown and may be; without one the claim stands as before.
  case undelivered(FallbackReason, link: ClaimLink?, [FailedPeer])
  /// The claim was released to this receiver, and no valid answer came: it may be there.
  /// The link is that of the same claim, which can be taken once, whoever is first. It is for this receiver alone: until
  /// `OutgoingClaim.deadline`, which the store has, it may still take the claim from the session, and the store lets nobody
  /// have the link.
  case unknown(DisplayName, link: ClaimLink?)
  /// Three wrong guesses burnt the code. The claim stands as before, and no link takes its place.
  case codeBurnt
  /// The person here said no to this receiver, and no other came in time whom they said yes to. The claim stands as before.
  case declinedHere(DisplayName)
  /// The claim's time was up before it was released to anybody. Nobody can take it any more.
  case expired
  /// Another process changed the claim in the meantime, which stands so by now: its link was shown, it was sent to a
  /// receiver, or its owner settled it. This one sent nothing.
  case changedElsewhere(ClaimState)
  /// The task was cancelled. The claim stands as it says.
  case interrupted(ClaimState)
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
  /// Sessions came to nothing so often that somebody may be in the middle, drawing digits until those of two screens
  /// agree. No more draws are given for this claim.
  case interference
}

/// What happens during a send, in order.
public enum SendEvent: Hashable, Sendable {
  /// Nobody can find us (any more), for this reason.
  case discoveryLost(DiscoveryError)
  /// Receivers can find us by this name, or reach us at this port. The backend is discovery's, or `none`.
  case advertising(name: String, port: UInt16, backend: String)
  /// An encrypted channel stands with whoever is at this address.
  case connected(peer: String)
  /// The digits that the screen of the receiver at this address shows too, unless somebody is in the middle. They may be
  /// shown until that session's `.sessionEnded`.
  case digits(VerificationDigits, peer: String)
  /// The person at this address is asked whether to accept, and may take so many seconds, at most 60.
  case deciding(peer: String, seconds: Int)
  /// A receiver accepted the offer.
  case accepted(DisplayName)
  /// Somebody tried a wrong code: a guess, or a slip. With no try left the code is burnt.
  case wrongGuess(triesLeft: Int)
  /// The session with the receiver at this address failed, and the send goes on. That of a wrong guess is not told.
  case sessionFailed(SessionFailure, peer: String)
  /// The session with the receiver at this address is over, whatever its result, which is the next event where there is
  /// one. Told of sessions whose digits were told: from now on nobody may compare them.
  case sessionEnded(peer: String)
  /// The person there said no, and the send goes on.
  case declined
  /// What became of the claim could not be written down: the store still says that it is released.
  case notRecorded(ClaimState)
  /// Both ends remember each other: the receiver under this name here.
  case remembered(DisplayName)
  /// The receiver was to be remembered under this name, and neither end remembers the other.
  case notRemembered(DisplayName, NotRemembered)
  /// The receiver's answer was lost. It is remembered under this name here, and may or may not remember us.
  case rememberingUnknown(DisplayName)
  /// The receiver has answered.
  case stored(StoredStatus)
}
