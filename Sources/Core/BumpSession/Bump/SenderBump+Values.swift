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
    /// The answer to a request of the handover.
    case answered(Handover.Answer)
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
    /// Cancel that question: a question about the claim comes first, or no attempt is left.
    case withdrawReadmission
    /// Withdraw the registration and accept no more connections.
    case stopListening
    /// Carry out what the handover needs.
    case request(Handover.Request)
    case event(SendEvent)
    /// Record how the bump ended, and end it.
    case finish(Handover.Outcome)
    /// End the bump: the store failed before the claim was sent.
    case fail(StoreError)

    static func sessionEnded(_ peer: Peer) -> Action { .event(.sessionEnded(peer: peer.name)) }
  }

  package struct Policy: Sendable {
    /// The code or key that a receiver must know too. It decides the mode.
    let credential: Credential
    /// Whether the person here is asked before anything is sent.
    let asks: Bool
    /// How long connections are admitted, from when receivers can find this sender; if they never can, from the start.
    let discoveryTimeout: Duration
    /// How long one session waits for the other end in total.
    let sendTimeout: Duration
    /// Whether a no of the person here ends the bump, unless another receiver has accepted.
    let endsAtRefusal: Bool
    /// How many attempts at the digits this bump may use.
    let attempts: Int

    package init(
      credential: Credential = .none, asks: Bool, discoveryTimeout: Duration, sendTimeout: Duration,
      endsAtRefusal: Bool = false, attempts: Int = AttemptBudget.maximum
    ) {
      (self.credential, self.asks, self.endsAtRefusal) = (credential, asks, endsAtRefusal)
      (self.discoveryTimeout, self.sendTimeout, self.attempts) = (discoveryTimeout, sendTimeout, attempts)
    }
  }
}
