package import BumpChannel
package import BumpClaims
package import BumpDiscovery

// What goes into a bump, what it does, and what it begins with.
extension SenderBump {
  package enum Input: BumpInput {
    /// Somebody connected.
    case opened(ConnectionID, peer: String, RemoteHost?, SessionKeys)
    /// Something happened on a connection.
    case session(ConnectionID, SenderSession.Input)
    /// The moment that `deadline` named has come.
    case deadline
    /// Receivers can find us, from now on.
    case advertised
    /// Nobody can find us (any more).
    case discoveryLost
    /// The claim was released for its link, durably.
    case releasedForLink
    /// The claim was not released for its link.
    case notReleasedForLink(ReleaseFailure)
    /// The person was asked whether to let that receiver in once more.
    case readmitted(Bool)
    /// The person wants it to end.
    case interrupted
  }

  package enum Action: Equatable, BumpAction {
    case send([UInt8], ConnectionID)
    case close(ConnectionID)
    /// Ask our person; the answer is that connection's `.decided`.
    case ask(ConnectionID, DisplayName, VerificationDigits)
    /// Cancel that question: its receiver is gone.
    case withdrawQuestion(ConnectionID)
    /// Ask our person whether to let the receiver at this address in once more; `.readmitted` is the answer.
    case askToReadmit(peer: String)
    /// Cancel that question: there is a better one.
    case withdrawReadmission
    /// Withdraw the advertisement and take no more connections.
    case stopListening
    /// Release the claim durably to whom this connection is with, who may take it, or answer, for so long at most; that
    /// connection's `.released` or `.notReleased` is the answer.
    case release(ConnectionID, DisplayName, within: Duration)
    /// Take the release back, durably: nothing was sent. That connection's `.takenBack` or `.notTakenBack` is the answer.
    case takeBack(ConnectionID)
    /// Release the claim durably for its link; `.releasedForLink` or `.notReleasedForLink` is the answer.
    case releaseForLink
    case event(SendEvent)
    /// Keep this key durably, unconfirmed; that connection's `.kept` is the answer, before `.released`.
    case keep(SharedKey, ConnectionID)
    case remembering(Remembering)
    /// All is over. The claim's last state is to be recorded first, where there is one.
    case finish(SendOutcome, record: HandoverState?)
    /// All is over: the store failed before anything was sent.
    case fail(StoreError)

    static func sessionEnded(_ peer: Peer) -> Action { .event(.sessionEnded(peer: peer.name)) }
  }

  package struct Policy: Sendable {
    /// What a receiver must know too. It decides the mode.
    let credential: Credential
    /// Whether our person is asked before the claim goes out.
    let asks: Bool
    /// Whether our person wants to remember the receiver.
    let remembers: Bool
    /// How long connections are admitted from when receivers can find us; where that is never so, from the beginning.
    let discoveryTimeout: Duration
    /// How long one session waits for the other end in all.
    let sendTimeout: Duration
    /// Whether the claim is released for its link where no receiver takes it.
    let fallsBack: Bool
    /// Whether a no of our person ends it, unless another receiver has accepted.
    let endsAtRefusal: Bool
    /// How long from the beginning the claim is good for.
    let lifetime: Duration
    /// How many draws of digits this claim has left.
    let draws: Int

    package init(
      credential: Credential = .none, asks: Bool, remembers: Bool = false, discoveryTimeout: Duration,
      sendTimeout: Duration, fallsBack: Bool, endsAtRefusal: Bool = false, lifetime: Duration,
      draws: Int = Draws.maximum
    ) {
      (self.credential, self.asks, self.remembers) = (credential, asks, remembers)
      (self.discoveryTimeout, self.sendTimeout, self.lifetime) = (discoveryTimeout, sendTimeout, lifetime)
      (self.fallsBack, self.endsAtRefusal, self.draws) = (fallsBack, endsAtRefusal, draws)
    }
  }
}
