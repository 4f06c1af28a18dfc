package import BumpClaims
package import BumpDiscovery
package import BumpWire

// The inputs, the actions and the settings of a receiver's bump.
extension ReceiverBump {
  package enum Input: BumpInput {
    case found(ServiceInstance)
    case lost(ServiceInstance)
    /// The TXT record of a sender: a hint.
    case described(SenderSearch.SenderID, Announcement)
    /// An address of a sender was resolved.
    case resolved(SenderSearch.SenderID, Endpoint, LocalNetworks.Likelihood)
    case connected(ConnectionID, peer: String, RemoteHost?, SessionKeys)
    case connectFailed(ConnectionID, FailedPeer.Reason)
    /// An address of a sender is not on a link of this host, and is not tried.
    case offLink(SenderSearch.SenderID, address: String)
    /// An input to the session of this connection.
    case session(ConnectionID, ReceiverSession.Input)
    /// The code that the person here entered; `nil` for none.
    case code(OneTimeCode?)
    /// The sender that the person here chose; `nil` for none.
    case chose(SenderSearch.SenderID?)
    /// The bump's `deadline` has passed.
    case deadline
    /// Discovery is not available, or has stopped working.
    case discoveryLost
    /// The person here cancels the bump.
    case interrupted
  }

  package enum Action: Equatable, BumpAction {
    case search(SenderSearch.Output)
    /// Do this for the session of this connection. An answer is an input to that session.
    case session(ConnectionID, ReceiverSession.Request)
    case close(ConnectionID)
    /// Cancel the question about what this connection's session offers: its sender is gone.
    case withdrawQuestion(ConnectionID)
    /// Ask the person here for the code of this sender; `.code` is the answer.
    case askCode(String)
    /// Cancel that question: a sender has the code that was entered before.
    case withdrawCode
    /// Ask the person here which of these senders to try; `.chose` is the answer. A list replaces the one before.
    case choose([SenderCandidate])
    /// Cancel that question: fewer than two of its senders are left.
    case withdrawChoice
    case event(ReceiveEvent)
    case finish(ReceiveOutcome)
    /// End the bump: a claim was received, and the store failed.
    case fail(StoreError)

    static func sessionEnded(_ peer: Peer) -> Action { .event(.sessionEnded(peer: peer.name)) }
  }

  package struct Policy: Sendable {
    /// The name that the sender is shown.
    let name: DisplayName
    /// The code or key that the sender must know too. It decides the one mode that is accepted.
    let credential: Credential
    /// Whether the person here can be asked for a code.
    let canEnterCode: Bool
    /// Whether the person here is asked before an offer of a claim is accepted.
    let asksAboutClaims: Bool
    /// Whether the person here is asked before an offer of a document is accepted.
    let asksAboutDocuments: Bool
    /// Whether the person here is asked about any offer.
    var asks: Bool { asksAboutClaims || asksAboutDocuments }
    /// Whether the person here wants to remember the sender.
    let remembers: Bool
    /// Whether the sender's address was given, and no other sender is looked for.
    let isDirect: Bool
    /// The name of the sender whose offers are wanted; `nil` for any sender.
    let from: WantedName?
    /// Whether the person here chooses one of several senders.
    let choosesSender: Bool
    /// Whether claims are received one after the other until the bump is interrupted.
    let keeps: Bool
    /// How many documents are accepted; `nil` for none.
    let documents: DocumentRoom?
    /// How long senders are looked for, from the start of the bump.
    let discoveryTimeout: Duration
    /// How long one session waits for the other end in total.
    let sendTimeout: Duration
    /// Returns the time of day, in seconds since 1970, by which the expiry of offers is judged.
    let unixTime: @Sendable () -> Int64

    package init(
      name: DisplayName, credential: Credential = .none, canEnterCode: Bool = false, asks: Bool,
      asksAboutDocuments: Bool? = nil, remembers: Bool = false, isDirect: Bool = false, from: String? = nil,
      choosesSender: Bool = false,
      keeps: Bool = false, documents: DocumentRoom? = nil, discoveryTimeout: Duration, sendTimeout: Duration,
      unixTime: @escaping @Sendable () -> Int64
    ) {
      (self.name, self.credential, self.canEnterCode) = (name, credential, canEnterCode)
      (asksAboutClaims, self.asksAboutDocuments) = (asks, asksAboutDocuments ?? asks)
      (self.remembers, self.isDirect, self.keeps) = (remembers, isDirect, keeps)
      (self.from, self.choosesSender, self.documents) = (from.map(WantedName.init), choosesSender, documents)
      (self.discoveryTimeout, self.sendTimeout, self.unixTime) = (discoveryTimeout, sendTimeout, unixTime)
    }
  }
}
