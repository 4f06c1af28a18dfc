package import BumpDiscovery

/// From what discovery says to a connection: whom to resolve, which address to try when, whom to try again. Pure.
///
/// The newest senders come first, since entries of hosts that went away stay listed for an hour and more.
package struct SenderSearch: Sendable {
  /// A sender that may be there: an instance name, seen on any number of interfaces, or a peer that was given.
  package enum SenderID: Hashable, Sendable {
    case instance(String)
    case peer
  }

  package enum Output: Equatable {
    /// Find the addresses of a sender on one interface.
    case resolve(SenderID, ServiceInstance)
    case stopResolving(SenderID)
    case connect(ConnectionID, Endpoint)
    case cancelConnecting(ConnectionID)
    /// Have the network asked whether it is still there: none of its addresses could be connected to.
    case reconfirm(ServiceInstance)
  }

  /// Senders whose turn it is to be resolved.
  static let maximumResolving = 64
  /// Senders whose turn is over, and who are heard should they answer yet. With those above, half of the objects that
  /// avahi-daemon allows a client.
  static let maximumLingering = 448
  /// Senders whose addresses are known, beyond those being resolved, that wait for a connection.
  static let maximumReachable = 32
  /// Connections at once, those that are being made and those in session.
  static let maximumConnections = 8
  /// Sessions with one sender that may fail.
  static let maximumSessions = 3

  /// Later rounds wait as long as this one.
  let lastRound: Int
  let isLong: Bool
  /// Whether senders are resolved and not yet connected to.
  var isHeld: Bool
  /// Whether no connection is begun, until `resume`.
  var isPaused = false
  /// Whom alone to try; `nil` for anybody.
  var only: Set<SenderID>?

  var senders: [SenderID: SearchedSender] = [:]
  var owners: [ConnectionID: SenderID] = [:]
  var counter = 0

  // Where a flood of forged entries is listed, only the few that are being tried may cost anything at each event.
  // An entry below may be stale: the sender's phase decides.

  /// Those being resolved or connected to, or that wait for that with their addresses known.
  var active: Set<SenderID> = []
  /// Whether nobody is to be tried, until `restart`.
  var isStopped = false
  /// Sessions under way.
  var inSession = 0
  /// How many turns to be connected to have been given.
  var connectingTurns = 0
  var waiting: WaitingSenders
  /// Those that were not answered for in their turn and are still being asked about, the first first.
  var lingering: [WaitingSenders.Entry] = []
  var resting: RestingSenders<SenderID>
  var failed = FailedPeers<SenderID>()
  /// Whose senders come after others.
  var silent = SilentHosts()

  /// - Parameters:
  ///   - isHeld: whether to begin with nobody is connected to.
  ///   - isLong: whether the search goes on for hours: then an entry that answers nothing is tried a minute apart in the
  ///     end, and whoever is done is forgotten once it is gone.
  init(isHeld: Bool = false, isLong: Bool = false) {
    self.isHeld = isHeld
    self.isLong = isLong
    lastRound = isLong ? 9 : 3
    waiting = WaitingSenders(rounds: lastRound + 1)
    resting = RestingSenders(rounds: lastRound + 1)
  }

  /// Nobody is being tried, and nobody waits to be.
  var isIdle: Bool {
    senders.allSatisfy { id, sender in
      sender.isDone || only?.contains(id) == false
    }
  }

  /// Those that can be connected to, and are not.
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
    (active.map { senders[$0]?.deadline } + [resting.deadline]).compactMap(\.self).min()
  }

  // MARK: Who is there

  mutating func add(peer: Endpoint, at now: Moment) -> [Output] {
    senders[.peer] = SearchedSender(order: next(), routes: [], addresses: AddressRace([peer]))
    enqueue(.peer)
    return proceed(at: now)
  }

  /// Whether this is the first that is heard of the instance, and what follows.
  mutating func found(_ instance: ServiceInstance, at now: Moment) -> (isNew: Bool, [Output]) {
    let id = SenderID.instance(instance.name)
    guard var sender = senders[id] else {
      senders[id] = SearchedSender(order: next(), routes: [instance])
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

  // MARK: What became of it

  /// An address of a sender has become known.
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

  /// Where a connection is being made to.
  func endpoint(of connection: ConnectionID) -> Endpoint? {
    owners[connection].flatMap { senders[$0]?.addresses.connections[connection] }
  }

  /// The connection is established. `nil` where it is not wanted any more.
  mutating func connected(_ connection: ConnectionID, at now: Moment) -> (SenderID, [Output])? {
    guard let id = owners.removeValue(forKey: connection), var sender = senders[id] else { return nil }
    sender.addresses.succeeded(connection)
    let outputs = stop(&sender, id)
    sender.phase = .inSession
    sender.sessions += 1
    inSession += 1
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

  /// Whether a sender is to be tried again after a session.
  enum Again { case never, someTimes, always }

  /// A session is over. A sender may be tried again where what failed may pass.
  mutating func sessionEnded(_ id: SenderID, _ again: Again, at now: Moment) -> [Output] {
    guard var sender = senders[id] else { return [] }
    inSession -= 1
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
    for (id, until) in resting.wake(at: now) {
      if case .resting(until) = senders[id]?.phase { enqueue(id) }
    }
    return outputs + proceed(at: now)
  }
}
