package import BumpClaims
package import BumpDiscovery
package import BumpWire

// The inputs, the actions and the settings of a receiver's bump.
extension ReceiverBump {
  package enum Input: BumpInput {
    case found(ServiceInstance)
    case lost(ServiceInstance)
    /// The TXT record of a sender: a hint.
    case described(SenderConnector.SenderID, Announcement)
    /// An address of a sender was resolved.
    case resolved(SenderConnector.SenderID, Endpoint, LocalNetworks.Likelihood)
    case connected(ConnectionID, peer: String, RemoteHost?, SessionKeys)
    case connectFailed(ConnectionID, FailedPeer.Reason)
    /// An address of a sender is not on a link of this host, and is not tried.
    case offLink(SenderConnector.SenderID, address: String)
    /// An input to the session of this connection.
    case session(ConnectionID, ReceiverSession.Input)
    /// The code that the person here entered; `nil` for none.
    case code(OneTimeCode?)
    /// The sender that the person here chose; `nil` for none.
    case chose(SenderConnector.SenderID?)
    /// The bump's `deadline` has passed.
    case deadline
    /// Discovery is not available, or has stopped working.
    case discoveryLost
    /// The person here cancels the bump.
    case interrupted
  }

  package enum Action: Equatable, BumpAction {
    case connector(SenderConnector.Output)
    /// Do this for the session of this connection. An answer is an input to that session.
    case session(ConnectionID, ReceiverSession.Request)
    case close(ConnectionID)
    /// Cancel the question about what this connection's session offers: its sender is gone.
    case withdrawQuestion(ConnectionID)
    /// Ask the person here for the code of this sender; `.code` is the answer.
    case askCode(String)
    /// Cancel that question: a sender has the code that was entered before, its sender is gone, no code may be entered any
    /// more, or the time is up. The event before says which, if it is one of the first three.
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
    /// The settings of each session. Its `asks` is true if the person here is asked about claims or about documents.
    let session: ReceiverSession.Settings
    /// The code or key that the sender must know too. It decides the one mode that is accepted.
    let credential: Credential
    /// Whether the person here can be asked for a code.
    let canEnterCode: Bool
    /// Whether the person here is asked before an offer of a claim is accepted.
    let asksAboutClaims: Bool
    /// Whether the person here is asked before an offer of a document is accepted.
    let asksAboutDocuments: Bool
    /// Whether the person here is asked about any offer.
    var asks: Bool { session.asks }
    /// Whether the sender's address was given, and no other sender is looked for.
    let isDirect: Bool
    /// The name of the sender whose offers are wanted; `nil` for any sender.
    let from: WantedName?
    /// What becomes of several senders. If they are not just tried, no credential is given, so the person here is not
    /// asked for another code meanwhile.
    let several: SenderPicker.Several
    /// Whether claims are received one after the other until the bump is interrupted.
    let keeps: Bool
    /// How many documents are accepted; `nil` for none.
    let documents: DocumentQuota?
    /// How long senders are looked for, from the start of the bump.
    let discoveryTimeout: Duration

    package init(
      name: DisplayName, credential: Credential = .none, canEnterCode: Bool = false, asks: Bool,
      asksAboutDocuments: Bool? = nil, remembers: Bool = false, remembered: [RememberedSender] = [],
      isDirect: Bool = false, from: String? = nil,
      choosesSender: Bool = false, refusesNamesakes: Bool = false, keeps: Bool = false, documents: DocumentQuota? = nil,
      discoveryTimeout: Duration,
      sendTimeout: Duration, unixTime: @escaping @Sendable () -> Int64
    ) {
      let asksAboutDocuments = asksAboutDocuments ?? asks
      session = ReceiverSession.Settings(
        name: name, asks: asks || asksAboutDocuments, remembers: remembers, remembered: remembered, limit: sendTimeout,
        unixTime: unixTime)
      (self.credential, self.canEnterCode) = (credential, canEnterCode)
      (asksAboutClaims, self.asksAboutDocuments) = (asks, asksAboutDocuments)
      (self.isDirect, self.keeps, self.from) = (isDirect, keeps, from.map(WantedName.init))
      // A sender that is given by its address or its credential needs no choice. A name is not enough: anybody can have
      // it.
      let isOpen = !keeps && !isDirect && credential == .none
      several = !isOpen ? .tried : choosesSender ? .chosenFrom : refusesNamesakes && from != nil ? .refused : .tried
      (self.documents, self.discoveryTimeout) = (documents, discoveryTimeout)
    }
  }
}
