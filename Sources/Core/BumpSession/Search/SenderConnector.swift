package import BumpDiscovery

/// Makes connections to the senders that discovery reports: which sender to resolve when, which address to try when,
/// which sender to try again. Pure.
///
/// The newest senders come first, since the entries of hosts that have gone stay listed for an hour and more.
package struct SenderConnector: Sendable {
  /// A sender that may be there: an instance name, on any number of interfaces, or a sender whose address was given.
  package enum SenderID: Hashable, Sendable {
    case instance(String)
    case peer

    /// The instance name; `nil` if the address was given.
    package var instanceName: String? { if case .instance(let name) = self { name } else { nil } }
  }

  package enum Output: Equatable {
    /// Resolve the addresses of a sender on one interface.
    case resolve(SenderID, ServiceInstance)
    case stopResolving(SenderID)
    case connect(ConnectionID, Endpoint)
    case cancelConnecting(ConnectionID)
    /// Ask discovery to check whether the sender is still there: none of its addresses could be connected to.
    case reconfirm(ServiceInstance)
  }

  /// The limit on senders being resolved in their turn.
  static let maximumResolving = 64
  /// The limit on senders that are still resolved after their turn. With `maximumResolving`, this uses half of the
  /// objects that avahi-daemon allows a client.
  static let maximumLingering = 448
  /// The limit on senders that wait for a connection after their turn.
  static let maximumReachable = 32
  /// The limit on connections, those being made included.
  static let maximumConnections = 8
  /// The limit on failed sessions with one sender.
  static let maximumSessions = 3

  let isLong: Bool
  /// Whether senders are resolved but not connected to.
  var isHeld: Bool
  /// Whether no connection is begun, until `resume`.
  var isPaused = false
  /// The only sender to try; `nil` for all.
  var only: SenderID?

  var senders: [SenderID: TrackedSender] = [:]
  var owners: [ConnectionID: SenderID] = [:]
  var counter = 0

  // In a flood of forged entries, only the few senders being tried may cost time at each event. An entry below may be
  // stale: the sender's phase decides.

  /// The senders that are being resolved or connected to, or wait to be connected to.
  var active: Set<SenderID> = []
  /// Whether no sender is tried, until `restart`.
  var isStopped = false
  /// The addresses of the sessions in progress. A sender has one at a time.
  var inSession: [SenderID: Endpoint] = [:]
  /// How many turns to connect were given.
  var connectingTurns = 0
  var schedule: ResolvingSchedule<SenderID>
  /// The senders that are still resolved after their turn, in the order in which their turns ended.
  var lingering: [ResolvingSchedule<SenderID>.Waiting] = []
  var failed = FailedPeers<SenderID>()
  /// The hosts whose senders come after others.
  var silent = SilentHosts()

  /// - Parameters:
  ///   - isHeld: whether connecting is held back at first.
  ///   - isLong: whether the search may last for hours. Then an entry that does not resolve is tried once a minute in
  ///     the end, and a sender that is done is forgotten once it has gone.
  init(isHeld: Bool = false, isLong: Bool = false) {
    self.isHeld = isHeld
    self.isLong = isLong
    schedule = ResolvingSchedule(isLong: isLong)
  }

  /// Whether no sender is being tried or waits to be.
  var isIdle: Bool {
    senders.allSatisfy { id, sender in
      sender.isDone || !isWanted(id)
    }
  }

  /// The senders that can be connected to, and are not.
  var reachable: [SenderID] {
    active.filter { id in
      guard let sender = senders[id], sender.addresses.hasMore else { return false }
      return switch sender.phase {
      case .resolving, .reachable: true
      default: false
      }
    }
  }

  var reachableCount: Int { active.count { senders[$0]?.isReachable == true } }

  /// Whether a sender is still listed, or in session.
  func isNear(_ id: SenderID) -> Bool {
    guard let sender = senders[id] else { return false }
    return sender.isInSession || !sender.routes.isEmpty
  }

  /// When `deadlinePassed` is due.
  var deadline: Moment? {
    (active.map { senders[$0]?.deadline } + [schedule.deadline]).compactMap(\.self).min()
  }

  // MARK: Senders found and lost

  mutating func add(peer: Endpoint, at now: Moment) -> [Output] {
    senders[.peer] = TrackedSender(order: next(), routes: [], addresses: AddressRace([peer]))
    enqueue(.peer)
    return proceed(at: now)
  }

  /// Returns whether the sender is new, and the outputs that follow.
  mutating func found(_ instance: ServiceInstance, at now: Moment) -> (isNew: Bool, [Output]) {
    let id = SenderID.instance(instance.name)
    guard var sender = senders[id] else {
      senders[id] = TrackedSender(order: next(), routes: [instance])
      enqueue(id)
      return (true, proceed(at: now))
    }
    guard !sender.routes.contains(instance) else { return (false, []) }
    sender.routes.append(instance)
    senders[id] = sender
    var outputs: [Output] = []
    switch sender.phase {
    case .resolving, .connecting: if sender.isResolving { outputs.append(.resolve(id, instance)) }
    case .resting: enqueue(id)
    case .waiting, .reachable, .inSession, .done: break
    }
    return (false, outputs + proceed(at: now))
  }

  mutating func lost(_ instance: ServiceInstance, at now: Moment) -> [Output] {
    let id = SenderID.instance(instance.name)
    guard var sender = senders[id] else { return [] }
    sender.routes.removeAll { $0 == instance }
    senders[id] = sender
    guard sender.routes.isEmpty else { return [] }
    switch sender.phase {
    case .waiting, .resting:
      let outputs = stop(&sender, id)
      senders[id] = nil
      return outputs
    case .resolving, .reachable:
      let outputs = stop(&sender, id)
      senders[id] = nil
      active.remove(id)
      return outputs + proceed(at: now)
    case .done where isLong:
      senders[id] = nil
      return []
    case .connecting, .inSession, .done:
      return []
    }
  }

  // MARK: Results

  /// Notes an address of a sender.
  mutating func resolved(
    _ id: SenderID, _ endpoint: Endpoint, _ likelihood: LocalNetworks.Likelihood, at now: Moment
  ) -> [Output] {
    guard var sender = senders[id], sender.isResolving, sender.addresses.isNew(endpoint) else { return [] }
    switch sender.phase {
    case .waiting, .resting:
      guard reachableCount < Self.maximumReachable, isWanted(id) else { return [] }
      sender.phase = .reachable
      active.insert(id)
    case .resolving, .reachable, .connecting, .inSession, .done: break
    }
    sender.addresses.add(endpoint, likelihood)
    senders[id] = sender
    return proceed(at: now)
  }

  /// Returns the address that an attempt is connecting to.
  func endpoint(of connection: ConnectionID) -> Endpoint? {
    owners[connection].flatMap { senders[$0]?.addresses.connections[connection] }
  }

  /// Notes that a connection is established. Returns `nil` if the connection is no longer wanted.
  mutating func connected(_ connection: ConnectionID, at now: Moment) -> (SenderID, [Output])? {
    guard let id = owners.removeValue(forKey: connection), var sender = senders[id] else { return nil }
    inSession[id] = sender.addresses.connections[connection]
    sender.addresses.succeeded(connection)
    let outputs = stop(&sender, id)
    sender.phase = .inSession
    sender.sessions += 1
    active.remove(id)
    senders[id] = sender
    return (id, outputs + proceed(at: now))
  }

  mutating func connectFailed(_ connection: ConnectionID, _ reason: FailedPeer.Reason, at now: Moment) -> [Output] {
    guard let id = owners.removeValue(forKey: connection), var sender = senders[id] else { return [] }
    note(id, at: sender.addresses.connections[connection]?.description, reason)
    var outputs: [Output] = []
    if sender.failed(connection, at: now) {
      let reconfirmation = sender.reconfirmation
      outputs += rest(&sender, id, at: now) + reconfirmation
    }
    note(sender, as: id)
    return outputs + proceed(at: now)
  }

  /// Whether to try a sender again after a session. `someTimes` counts the session towards `maximumSessions`, `always`
  /// does not.
  enum Retry { case never, someTimes, always }

  /// Notes that a session is over. The sender may be tried again if what failed may succeed later.
  mutating func sessionEnded(_ id: SenderID, _ again: Retry, at now: Moment) -> [Output] {
    guard var sender = senders[id] else { return [] }
    inSession[id] = nil
    var outputs: [Output] = []
    if again == .always { sender.sessions -= 1 }
    if isStopped {
      sender.phase = .done
    } else if again != .never, sender.sessions < Self.maximumSessions {
      outputs += rest(&sender, id, at: now)
    } else {
      sender.phase = .done
    }
    note(sender, as: id)
    return outputs + proceed(at: now)
  }

  mutating func deadlinePassed(at now: Moment) -> [Output] {
    var outputs: [Output] = []
    for id in active {
      guard var sender = senders[id] else { continue }
      switch sender.phase {
      case .resolving(let end) where end <= now && sender.addresses.hasMore && reachableCount < Self.maximumReachable:
        outputs += stop(&sender, id)
        sender.phase = .reachable
        senders[id] = sender
      case .resolving(let end) where end <= now, .connecting(let end) where end <= now:
        let reconfirmation = sender.reconfirmation
        outputs += rest(&sender, id, at: now) + reconfirmation
        note(sender, as: id)
      default:
        break
      }
    }
    for (id, until) in schedule.wake(at: now) {
      if case .resting(until) = senders[id]?.phase { enqueue(id) }
    }
    return outputs + proceed(at: now)
  }
}
