package import BumpClaims
package import BumpDiscovery
package import BumpWire

// The inputs, the actions and the settings of a sender's bump.
extension SenderBump {
  package enum Input: BumpInput {
    /// A receiver connected.
    case opened(ConnectionID, peer: String, RemoteHost?, SessionKeys)
    /// An input to the session of this connection.
    case session(ConnectionID, SenderSession.Input)
    /// The bump's `deadline` has passed.
    case deadline
    /// From now on receivers can find this sender.
    case advertised
    /// Discovery is not available, or has stopped working.
    case discoveryLost
    /// The claim was released for its link, durably.
    case releasedForLink
    /// The claim was not released for its link.
    case notReleasedForLink(ReleaseFailure)
    /// The person here was asked whether to admit that receiver once more, and answered.
    case readmitted(Bool)
    /// The person here cancels the bump.
    case interrupted
  }

  package enum Action: Equatable, BumpAction {
    case send([UInt8], ConnectionID)
    case close(ConnectionID)
    /// Ask the person here; `.decided` of that connection's session is the answer.
    case ask(ConnectionID, DisplayName, VerificationDigits)
    /// Cancel that question: its receiver is gone.
    case withdrawQuestion(ConnectionID)
    /// Ask the person here whether to admit the receiver at this address once more; `.readmitted` is the answer.
    case askToReadmit(peer: String)
    /// Cancel that question: a question about the claim comes first, or no draw is left.
    case withdrawReadmission
    /// Withdraw the registration and accept no more connections.
    case stopListening
    /// Release the claim durably to the receiver on this connection, which may take the claim, or answer, for this long
    /// at most; `.released` or `.notReleased` of that connection's session is the answer.
    case release(ConnectionID, DisplayName, within: Duration)
    /// Undo the release, durably: the claim was not sent. `.takenBack` or `.notTakenBack` of that connection's session
    /// is the answer.
    case takeBack(ConnectionID)
    /// Release the claim durably for its link; `.releasedForLink` or `.notReleasedForLink` is the answer.
    case releaseForLink
    case event(SendEvent)
    /// Keep this key durably, unconfirmed; `.kept` of that connection's session, before `.released`, is the answer.
    case keep(SharedKey, ConnectionID)
    case remembering(Remembering)
    /// End the bump. If there is a last state of the claim, record it first.
    case finish(SendOutcome, record: HandoverState?)
    /// End the bump: the store failed before the claim was sent.
    case fail(StoreError)

    static func sessionEnded(_ peer: Peer) -> Action { .event(.sessionEnded(peer: peer.name)) }
  }

  package struct Policy: Sendable {
    /// The code or key that a receiver must know too. It decides the mode.
    let credential: Credential
    /// Whether the person here is asked before the claim is sent.
    let asks: Bool
    /// Whether the person here wants to remember the receiver.
    let remembers: Bool
    /// How long connections are admitted, from when receivers can find this sender; if they never can, from the start.
    let discoveryTimeout: Duration
    /// How long one session waits for the other end in total.
    let sendTimeout: Duration
    /// Whether the claim is released for its link if no receiver takes it.
    let fallsBack: Bool
    /// Whether a no of the person here ends the bump, unless another receiver has accepted.
    let endsAtRefusal: Bool
    /// How long the claim is valid, from the start of the bump.
    let lifetime: Duration
    /// How many draws of digits this bump may use.
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
