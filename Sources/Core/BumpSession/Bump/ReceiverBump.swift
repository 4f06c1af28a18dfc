package import BumpClaims
package import BumpDiscovery
package import BumpWire

/// A whole bump of a receiver: which sender to try, whose offer to decide, when to give up. Pure, like its sessions.
package struct ReceiverBump: BumpSessions {
  struct Connection: BumpConnection {
    var session: ReceiverSession
    let sender: SenderSearch.SenderID
    let peer: Peer
  }

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
    case send([UInt8], ConnectionID)
    case close(ConnectionID)
    /// Ask the person here; `.decided` of that connection's session is the answer.
    case ask(ConnectionID, Offer, VerificationDigits)
    /// Cancel that question: its sender is gone.
    case withdrawQuestion(ConnectionID)
    /// Ask the person here for the code of this sender; `.code` is the answer.
    case askCode(String)
    /// Cancel that question: a sender has the code that was entered before.
    case withdrawCode
    /// Ask the person here which of these senders to try; `.chose` is the answer. A list replaces the one before.
    case choose([SenderCandidate])
    /// Cancel that question: fewer than two of its senders are left.
    case withdrawChoice
    /// Make the claim durable; `.stored` or `.notStored` of that connection's session is the answer.
    case store(ConnectionID, VerifiedClaim)
    /// Ask the person here about a document; `.decided` of that connection's session is the answer.
    case askAboutDocument(ConnectionID, DocumentOffer, VerificationDigits)
    /// Make the document durable; `.saved` or `.notSaved` of that connection's session is the answer.
    case save(ConnectionID, VerifiedDocument)
    case event(ReceiveEvent)
    /// Keep this key with that connection's claim, which `.store` names next; `.kept`, before `.stored`, is the answer.
    case keep(SharedKey, ConnectionID)
    case remembering(Remembering)
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

  let policy: Policy
  var credential: Credential
  var search: SenderSearch
  var choice: SenderChoice
  var draws: ReceiverDraws
  var connections: [ConnectionID: Connection] = [:]
  var secured: Set<ConnectionID> = []
  /// The sessions whose offers are to be decided, in the order in which they came.
  var queue: [ConnectionID] = []
  var chosen: ConnectionID?
  /// The sessions in which a claim is still due, but for which other senders no longer wait.
  var gaveWay: Set<ConnectionID> = []
  /// How many times the person here declined.
  var refusals = 0
  /// The senders that the digits of each code were tried with. The channel is not part of the secret: the same digits
  /// with another channel get no more guesses.
  var tried: [OneTimeCode.Digits: Set<SenderSearch.SenderID>] = [:]
  var codeQuestion: CodeQuestion?
  /// The next question for a code; it replaces one that is still being asked.
  var codeQuestionDue: DueCodeQuestion?
  /// When a sender last rejected the code.
  var lastWrongCode = Moment.zero
  /// Whether a sender that the code was tried with ended the session without an answer.
  var hasUnansweredTry = false
  /// Since when the person here has been choosing a sender: that time does not count either.
  var choosingSince = Moment.zero
  var discoveryEnd: Moment
  var verdict: ReceiveOutcome?
  /// The outcome of the claim that was received, while another one is being stored.
  var received: ReceiveOutcome?
  /// How many documents may still be saved; `nil` if none are accepted.
  var room: DocumentRoom?
  /// Why a received claim could not be stored.
  var storeError: StoreError?
  /// The senders that were held back, since they may have no draw for a while, and their hosts.
  var heldBack: [SenderSearch.SenderID: RemoteHost?] = [:]
  /// Until when the receive pauses, as last reported.
  var toldUntil: Moment?
  var isInterrupted = false
  var isFinished = false
  /// Why no more senders are tried; `nil` while they are.
  var closing: Closing?

  package init(policy: Policy) {
    self.policy = policy
    credential = policy.credential
    choice = SenderChoice(asks: policy.choosesSender)
    room = policy.documents
    draws = ReceiverDraws(isLong: policy.keeps, isDirect: policy.isDirect, asks: policy.asks)
    search = SenderSearch(isHeld: policy.choosesSender, isLong: policy.keeps)
    discoveryEnd = policy.discoveryTimeout
  }

  /// Returns the host of an open connection; `nil` if its address does not identify one.
  package func host(of id: ConnectionID) -> RemoteHost? { connections[id]?.peer.host }

  /// When `.deadline` is due.
  package var deadline: Moment? {
    guard !isFinished else { return nil }
    let nextDraw = countsDraws ? draws.deadline : nil
    let ends = [
      search.deadline, choice.deadline, isTimed ? discoveryEnd : nil, nextDraw, givingWayDeadline, codeQuestionDue?.end,
      wrongCodeEnd, heldBack.isEmpty ? nil : draws.forgetting,
    ]
    return (connections.values.map(\.session.deadline) + ends).compactMap(\.self).min()
  }

  /// Whether the time limit for finding senders runs. It does not run while the person here enters a code or chooses a
  /// sender.
  var isTimed: Bool { closing == nil && !isAskingCode && !choice.isAsking && !policy.keeps }

  /// Tries one sender whose address was given.
  package mutating func start(peer: Endpoint, at now: Moment) -> [Action] {
    search.add(peer: peer, at: now).map(Action.search)
  }

  package mutating func handle(_ input: Input, at now: Moment) -> [Action] {
    guard !isFinished else { return [] }
    draws.prune(at: now)
    search.silent.prune(at: now)
    var actions: [Action]
    switch input {
    case .found(let instance):
      actions = found(instance, at: now)
    case .lost(let instance):
      actions = search.lost(instance, at: now).map(Action.search) + goneAfterChoice(.instance(instance.name), at: now)
      if !search.isNear(.instance(instance.name)) { heldBack[.instance(instance.name)] = nil }
    case .described(let sender, let announcement):
      actions = described(sender, announcement, at: now)
    case .code(let code):
      actions = entered(code, at: now)
    case .chose(let sender):
      actions = chose(sender, at: now)
    case .resolved(let sender, let endpoint, let likelihood):
      actions = search.resolved(sender, endpoint, likelihood, at: now).map(Action.search)
    case .connected(let id, let name, let host, let keys):
      actions = connected(id, Peer(name: name, host: host), keys, at: now)
    case .connectFailed(let id, let reason):
      actions = connectFailed(id, reason, at: now)
    case .offLink(let sender, let address):
      search.note(sender, at: address, .offLink)
      actions = []
    case .session(let id, let input):
      actions = forward(input, to: id, at: now)
    case .deadline:
      actions = deadlinePassed(at: now)
    case .discoveryLost:
      actions = stopSearching(.discoveryUnavailable, at: now)
    case .interrupted:
      isInterrupted = true
      actions = stopSearching(.interrupted, at: now) + dismiss(.shuttingDown, at: now) { _ in true }
    }
    actions += choose(at: now)
    actions += readmit(at: now) + giveWay(at: now) + draw(at: now) + askCodeAgain(at: now)
    actions += proceed(at: now)
    let othersWait = isAnotherWaiting
    for id in connections.keys { connections[id]?.session.othersWait = othersWait }
    return actions
  }

  mutating func deadlinePassed(at now: Moment) -> [Action] {
    let actions = passDeadlines(at: now)
    if isTimed, now >= discoveryEnd { return actions + stopSearching(.timeUp, at: now) }
    return actions + search.deadlinePassed(at: now).map(Action.search)
  }
}
