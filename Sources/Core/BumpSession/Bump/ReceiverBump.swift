package import BumpDiscovery
import BumpWire

/// A whole bump of a receiver: which sender to try, whose offer to decide, when to give up. Pure, like its sessions.
package struct ReceiverBump: BumpSessions {
  struct Connection: BumpConnection {
    var session: ReceiverSession
    let sender: SenderConnector.SenderID
    let peer: Peer
    /// Whether other senders wait for this session no longer, although its claim is still due.
    var hasGivenWay = false
  }

  let policy: Policy
  /// The code or key that senders are tried with: the policy's, or the code that the person here entered last.
  var credential: Credential
  var phase = Phase.searching(.init())
  var connector: SenderConnector
  var picker: SenderPicker
  var attempts: ReceiverAttempts
  var tries = CodeTries()
  var connections: [ConnectionID: Connection] = [:]
  var secured: Set<ConnectionID> = []
  /// The list that the person here was asked to choose from last.
  var listed: [SenderCandidate] = []
  /// The senders nearby that have other names than the wanted one.
  var otherNames: OtherNames
  /// The sessions whose offers are to be decided, in the order in which they came.
  var queue: [ConnectionID] = []
  /// The session whose offer is being decided, or was accepted.
  var chosen: ConnectionID?
  /// How many times the person here declined.
  var refusals = 0
  /// When the time for finding senders ends, if it runs.
  var discoveryEnd: Moment
  /// The outcome to report if no better one follows.
  var verdict: ReceiveOutcome?
  /// How many documents may still be saved; `nil` if none are accepted.
  var room: DocumentQuota?
  /// The senders that were held back, since they may have no attempt for a while, and their hosts.
  var deferred: [SenderConnector.SenderID: RemoteHost?] = [:]
  /// The senders that were told that they wait, as last reported.
  var queued: [ConnectionID: QueuedSender] = [:]
  /// Until when the receive pauses, as last reported.
  var toldUntil: Moment?

  package init(policy: Policy) {
    self.policy = policy
    credential = policy.credential
    picker = SenderPicker(policy.several)
    room = policy.documents
    attempts = ReceiverAttempts(isLong: policy.keeps, isDirect: policy.isDirect, asks: policy.asks)
    connector = SenderConnector(isHeld: policy.several != .tried, isLong: policy.keeps)
    discoveryEnd = Moment(policy.discoveryTimeout)
    otherNames = OtherNames(limit: policy.discoveryTimeout)
  }

  /// Returns the host of an open connection; `nil` if its address does not identify one.
  package func host(of id: ConnectionID) -> RemoteHost? { connections[id]?.peer.host }

  /// Returns the remembered sender that an open connection is with, proved by its key; `nil` if no remembered sender was
  /// recognized.
  package func recognized(on id: ConnectionID) -> RememberedSender? { connections[id]?.session.recognized }

  /// Returns the instance name of the sender that an open connection is with; `nil` if its address was given.
  package func instanceName(on id: ConnectionID) -> String? { connections[id]?.sender.instanceName }

  /// When `.deadline` is due.
  package var deadline: Moment? {
    if case .finished = phase { return nil }
    let nextAttempt = countsAttempts ? attempts.deadline : nil
    let ends = [
      connector.deadline, picker.deadline, isTimed ? discoveryEnd : nil, nextAttempt, yieldDeadline,
      phase.searching?.nextQuestion?.end, wrongCodeEnd, phase.searching == nil ? nil : otherNames.deadline,
      deferred.isEmpty ? nil : attempts.forgetting,
    ]
    return (connections.values.map(\.session.deadline) + ends).compactMap(\.self).min()
  }

  /// Whether the time limit for finding senders runs. It does not run while the person here enters a code or chooses a
  /// sender.
  var isTimed: Bool { phase.searching != nil && !policy.keeps }

  /// Tries one sender whose address was given.
  package mutating func start(peer: Endpoint, at now: Moment) -> [Action] {
    connector.add(peer: peer, at: now).map(Action.connector)
  }

  package mutating func handle(_ input: Input, at now: Moment) -> [Action] {
    if case .finished = phase { return [] }
    attempts.prune(at: now)
    connector.silent.prune(at: now)
    var actions: [Action]
    switch input {
    case .found(let instance):
      actions = found(instance, at: now)
    case .lost(let instance):
      otherNames.lost(instance)
      actions =
        connector.lost(instance, at: now).map(Action.connector) + goneAfterChoice(.instance(instance.name), at: now)
        + goneWhileAsked(.instance(instance.name), at: now)
      if !connector.isNear(.instance(instance.name)) { deferred[.instance(instance.name)] = nil }
    case .described(let sender, let announcement):
      actions = described(sender, announcement, at: now)
    case .code(let code):
      actions = entered(code, at: now)
    case .chose(let sender):
      actions = chose(sender, at: now)
    case .resolved(let sender, let endpoint, let likelihood):
      actions = connector.resolved(sender, endpoint, likelihood, at: now).map(Action.connector)
    case .connected(let id, let name, let host, let keys):
      actions = connected(id, Peer(name: name, host: host), keys, at: now)
    case .connectFailed(let id, let reason):
      actions = connectFailed(id, reason, at: now)
    case .offLink(let sender, let address):
      connector.note(sender, at: address, .offLink)
      actions = []
    case .session(let id, let input):
      actions = forward(input, to: id, at: now)
    case .deadline:
      actions = deadlinePassed(at: now)
    case .discoveryLost:
      actions = stopSearching(.discoveryUnavailable, at: now)
    case .interrupted:
      actions = interrupted(at: now)
    }
    actions += advance(at: now) + tellPlaces(at: now)
    let othersWait = isAnotherWaiting
    for id in connections.keys { connections[id]?.session.othersWait = othersWait }
    return actions
  }

  mutating func deadlinePassed(at now: Moment) -> [Action] {
    let actions = passDeadlines(at: now)
    if isTimed, now >= discoveryEnd { return actions + stopSearching(.timeUp, at: now) }
    return actions + connector.deadlinePassed(at: now).map(Action.connector)
  }
}
