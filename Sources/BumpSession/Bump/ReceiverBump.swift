package import BumpChannel
package import BumpClaims
package import BumpDiscovery
package import BumpWire

/// A whole bump as the receiver sees it: which sender to try, whose offer to decide, when to give up.
/// Pure, like its connections.
package struct ReceiverBump: BumpSessions {
  struct Connection: BumpConnection {
    var session: ReceiverSession
    let sender: SenderSearch.SenderID
    let peer: Peer
  }

  package enum Input: BumpInput {
    case found(ServiceInstance)
    case lost(ServiceInstance)
    /// What the TXT record of a sender says: a hint.
    case described(SenderSearch.SenderID, Announcement)
    /// An address of a sender has become known.
    case resolved(SenderSearch.SenderID, Endpoint, LocalNetworks.Likelihood)
    case connected(ConnectionID, peer: String, RemoteHost?, SessionKeys)
    case connectFailed(ConnectionID, FailedPeer.Reason)
    /// An address of a sender is not on a link of ours, and is not tried.
    case offLink(SenderSearch.SenderID, address: String)
    /// Something happened on a connection.
    case session(ConnectionID, ReceiverSession.Input)
    /// The code that our person entered; `nil` for none.
    case code(OneTimeCode?)
    /// The sender that our person chose; `nil` for none.
    case chose(SenderSearch.SenderID?)
    /// The moment that `deadline` named has come.
    case deadline
    /// Nobody can be found (any more).
    case discoveryLost
    /// The person wants it to end.
    case interrupted
  }

  package enum Action: Equatable, BumpAction {
    case search(SenderSearch.Output)
    case send([UInt8], ConnectionID)
    case close(ConnectionID)
    /// Ask our person; the answer is that connection's `.decided`.
    case ask(ConnectionID, Offer, VerificationDigits)
    /// Cancel that question: its sender is gone.
    case withdrawQuestion(ConnectionID)
    /// Ask our person for the code of this sender; `.code` is the answer.
    case askCode(String)
    /// Cancel that question: a sender has the code that was entered before.
    case withdrawCode
    /// Ask our person which of these to try; `.chose` is the answer. It takes the place of a question before it.
    case choose([SenderCandidate])
    /// Cancel that question: fewer than two of its senders are left.
    case withdrawChoice
    /// Make the claim durable; that connection's `.stored` or `.notStored` is the answer.
    case store(ConnectionID, VerifiedClaim)
    /// Ask our person about a document; the answer is that connection's `.decided`.
    case askAboutDocument(ConnectionID, DocumentOffer, VerificationDigits)
    /// Make the document durable; that connection's `.saved` or `.notSaved` is the answer.
    case save(ConnectionID, VerifiedDocument)
    case event(ReceiveEvent)
    /// Keep this key with that connection's claim, which is to be stored next; `.kept` is the answer, before `.stored`.
    case keep(SharedKey, ConnectionID)
    case remembering(Remembering)
    case finish(ReceiveOutcome)
    /// All is over: a claim came, and the store failed.
    case fail(StoreError)

    static func sessionEnded(_ peer: Peer) -> Action { .event(.sessionEnded(peer: peer.name)) }
  }

  package struct Policy: Sendable {
    /// What we call ourselves.
    let name: DisplayName
    /// What the sender must know too. It decides the one mode that is accepted.
    let credential: Credential
    /// Whether there is a person who could enter a code.
    let canEnterCode: Bool
    /// Whether our person is asked before an offer is accepted.
    let asks: Bool
    /// Whether our person wants to remember the sender.
    let remembers: Bool
    /// Whether one peer was given, and nobody else is looked for.
    let isDirect: Bool
    /// Whose offers are wanted: a display name as it is shown, or `nil` for anybody's.
    let from: String?
    /// Whom to try where several are found.
    let choice: SenderChoice.Rule
    /// Whether claim after claim is received, until that is interrupted.
    let keeps: Bool
    /// How many documents are taken; `nil` for none.
    let documents: DocumentRoom?
    /// How long from the beginning senders are looked for.
    let discoveryTimeout: Duration
    /// How long one session waits for the other end in all.
    let sendTimeout: Duration
    /// The time of day, in seconds since 1970, by which offers expire.
    let unixTime: @Sendable () -> Int64

    package init(
      name: DisplayName, credential: Credential = .none, canEnterCode: Bool = false, asks: Bool,
      remembers: Bool = false, isDirect: Bool = false, from: String? = nil, choice: SenderChoice.Rule = .anybody,
      keeps: Bool = false, documents: DocumentRoom? = nil, discoveryTimeout: Duration, sendTimeout: Duration,
      unixTime: @escaping @Sendable () -> Int64
    ) {
      (self.name, self.credential, self.canEnterCode) = (name, credential, canEnterCode)
      (self.asks, self.remembers, self.isDirect, self.keeps) = (asks, remembers, isDirect, keeps)
      (self.from, self.choice, self.documents) = (from, choice, documents)
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
  /// Offers to be decided, the first first.
  var queue: [ConnectionID] = []
  var chosen: ConnectionID?
  /// Those that owe us a claim, and that others do not wait for any more.
  var outstayed: Set<ConnectionID> = []
  /// How many draws of digits ended in our person's no.
  var refusals = 0
  /// The senders that the digits of each code were tried with. The channel is no part of the secret: with another channel
  /// the same digits are open to no more guesses.
  var tried: [OneTimeCode.Digits: Set<SenderSearch.SenderID>] = [:]
  var codeQuestion: CodeQuestion?
  /// The next such question; it takes the place of one that stands.
  var codeQuestionDue: DueCodeQuestion?
  /// When a sender last rejected the code.
  var lastWrongCode = Moment.zero
  /// Since when our person chooses a sender: that time does not count either.
  var choosingSince = Moment.zero
  var discoveryEnd: Moment
  var verdict: ReceiveOutcome?
  /// The claim that has come, while another is being stored.
  var received: ReceiveOutcome?
  /// How many documents may still be saved; `nil` where none are taken.
  var room: DocumentRoom?
  /// Why a claim that came could not be stored.
  var storeError: StoreError?
  /// Those that were left since they may have no draw for a while, and their hosts.
  var heldBack: [SenderSearch.SenderID: RemoteHost?] = [:]
  /// Until when the draws are spent, as far as that was told.
  var toldUntil: Moment?
  var isInterrupted = false
  var isFinished = false
  /// Why no more senders are tried; `nil` while they are.
  var closing: NobodyReason?

  package init(policy: Policy) {
    self.policy = policy
    credential = policy.credential
    choice = SenderChoice(policy.choice)
    room = policy.documents
    draws = ReceiverDraws(isLong: policy.keeps, isDirect: policy.isDirect, asks: policy.asks)
    search = SenderSearch(isHeld: policy.choice != .anybody, isLong: policy.keeps)
    discoveryEnd = policy.discoveryTimeout
  }

  /// When `.deadline` is due.
  package var deadline: Moment? {
    guard !isFinished else { return nil }
    let turns = countsDraws ? draws.deadline : nil
    let ends = [
      search.deadline, choice.deadline, isTimed ? discoveryEnd : nil, turns, wayDeadline, codeQuestionDue?.end,
      wrongCodeEnd, heldBack.isEmpty ? nil : draws.forgetting,
    ]
    return (connections.values.map(\.session.deadline) + ends).compactMap(\.self).min()
  }

  /// Whether the time for finding senders runs: not while our person does what only a person can.
  var isTimed: Bool { closing == nil && !isAskingCode && !choice.isAsking && !policy.keeps }

  /// Tries one sender that needs no discovery.
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
      actions = stopSearching(.timeout, at: now) + dismiss(.shuttingDown, at: now) { _ in true }
    }
    actions += choose(at: now)
    actions += readmit(at: now) + giveWay(at: now) + draw(at: now) + askCodeAgain(at: now)
    return actions + proceed(at: now)
  }

  mutating func deadlinePassed(at now: Moment) -> [Action] {
    let actions = passDeadlines(at: now)
    if isTimed, now >= discoveryEnd { return actions + stopSearching(.timeout, at: now) }
    return actions + search.deadlinePassed(at: now).map(Action.search)
  }
}
