public import BumpClaims
public import BumpDiscovery
public import BumpWire

/// How a send ended.
public enum SendOutcome: Hashable, Sendable {
  /// The receiver has stored the claim, or saved the document.
  case delivered(to: DisplayName, StoreResult)
  /// No receiver took the claim. The list has the receivers that connected, those that got furthest first. If there is
  /// a link, the claim's state is `linkShown`, and the link may be shown; otherwise the state is the one before this
  /// send.
  case undelivered(FallbackReason, link: ClaimLink?, [FailedPeer])
  /// The claim was released to this receiver, but no valid answer arrived: the receiver may have the claim.
  ///
  /// The link is for the same claim, which can be taken only once. Show it only to this receiver. Until
  /// `OutgoingClaim.deadline`, which the store has, the receiver may still take the claim from the session, and the
  /// store gives the link to nobody.
  case unknown(DisplayName, link: ClaimLink?)
  /// Three wrong guesses burnt the code, and no link is shown. This send did not change the claim's state.
  case codeBurnt
  /// The person here declined this receiver, and approved no other in time. This send did not change the claim's state.
  case declinedHere(DisplayName)
  /// The claim expired before it was released. Nobody can take it any more.
  case expired
  /// Another process changed the claim meanwhile, to this state: its link was shown, it was sent to a receiver, or its
  /// owner settled it. This process sent nothing.
  case changedElsewhere(HandoverState)
  /// The task was cancelled. The claim is in this state, which another process may have set.
  case interrupted(HandoverState)
}

/// Why the claim was not delivered by the bump.
public enum FallbackReason: String, Hashable, Sendable, CaseIterable {
  /// No receiver came in time.
  case discoveryTimeout
  /// A receiver came, but did not answer in time, or its session failed.
  case sendTimeout
  /// No receiver can find this sender: discovery is not available.
  case discoveryUnavailable
  /// The receivers that came in time declined. Anybody can send DECLINE, so the link is shown as if they had not come.
  case declined
  /// All attempts at the digits of this claim were used. An attacker in the middle may be drawing digits until those of
  /// two screens agree.
  case interference
}

/// An event of a send. Events are reported in order.
public enum SendEvent: Hashable, Sendable {
  /// Discovery is not available, or has stopped working, for this reason.
  case discoveryLost(DiscoveryError)
  /// Receivers can find this sender by this name, or connect to this port. The backend is discovery's, or `none`.
  case advertising(name: String, port: UInt16, backend: String)
  /// An encrypted channel is established with the other end at this address.
  case connected(peer: String)
  /// The digits of the session with the receiver at this address, whose screen shows the same digits, unless somebody
  /// is in the middle. Show them at most until `.sessionEnded` for that address.
  case digits(VerificationDigits, peer: String)
  /// The person at this address is asked whether to accept, and may take this many seconds, at most 60.
  case deciding(peer: String, seconds: Int)
  /// A receiver accepted the offer.
  case accepted(DisplayName)
  /// A receiver of this name accepted while the person here decides about another. With it, this many receivers wait.
  case queued(DisplayName, waiting: Int)
  /// The receiver at this address serves other senders first, and has this one at this place of its queue: 1 is next.
  /// The discovery time-out does not run meanwhile. Without a key nothing proves that this is so. The place may change.
  case inQueue(place: Int, peer: String)
  /// The receiver at this address no longer has this sender in its queue: the turn has come, or the session is over.
  /// Reported after `inQueue`.
  case outOfQueue(peer: String)
  /// The person here declined this receiver, and the send continues. `waiting` is how many other receivers have
  /// accepted: the person is asked about the first of them next.
  case declinedHere(DisplayName, waiting: Int)
  /// A receiver tried a wrong code: an attacker's guess or a typing error. With no try left the code is burnt.
  case wrongGuess(triesLeft: Int)
  /// Another sender announces the channel of the code: it has drawn the same channel, or wants to interfere. Its
  /// receiver may try its code here, which counts as a wrong code. The sender chose its name: show it through
  /// `InstanceName.shown`. Reported once for each name, for 16 names at most, and not in the first three seconds.
  case channelShared(name: String, channel: Int)
  /// The session with the receiver at this address failed, and the send continues. Not reported for a wrong code.
  case sessionFailed(SessionFailure, peer: String)
  /// The session with the receiver at this address is over. Its result, if it has one, is the next event. Reported for
  /// sessions whose digits were reported: from now on they must not be compared.
  case sessionEnded(peer: String)
  /// This many bytes of the document were sent.
  case progress(bytes: Int, of: Int)
  /// The claim was sent to the receiver at this address, which may have it from now on. The sender waits for its
  /// answer.
  case sent(peer: String)
  /// A receiver at this address came again and is not admitted to this send any more: each address has a limited number
  /// of attempts at the digits, and the last attempt is reserved for others. Reported once for each address.
  case turnedAway(peer: String)
  /// The person there declined, and the send continues.
  case declined
  /// A receiver declined without asking its person, usually because the offer has expired by its clock. The send
  /// continues.
  case declinedAtOnce
  /// The claim's last state could not be recorded: in the store the claim is still released.
  case notRecorded(HandoverState)
  /// The receiver has the claim, but its answer came after the time limit, when the store had another state: unknown,
  /// so that the link may have been shown; settled, or link shown; or sent to this other receiver. The state is
  /// delivered now. Anybody else who has the claim has the same money: the first to redeem it gets all of it.
  case answeredLate(HandoverState, with: DisplayName?)
  /// Both ends remember each other: here the receiver has this name.
  case remembered(DisplayName)
  /// The receiver was to be remembered under this name, but neither end remembers the other.
  case notRemembered(DisplayName, NotRemembered)
  /// The receiver's answer was lost. Here it is remembered under this name; it may or may not remember this sender.
  case rememberingUnknown(DisplayName)
  /// The receiver has answered with this status.
  case stored(StoredStatus)
}
