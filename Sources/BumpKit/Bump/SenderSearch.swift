import BumpDiscovery
import NIOCore

/// From what discovery says to a connection: whom to resolve, which address to try when, whom to try again. Pure.
///
/// The newest senders come first, since entries of hosts that went away stay listed for an hour and more.
/// A sender's addresses are tried staggered (RFC 8305 §5), so that one that hangs costs a quarter of a second.
struct SenderSearch: Sendable {
  /// A sender that may be there: an instance name, seen on any number of interfaces, or a peer that was given.
  enum SenderID: Hashable, Sendable {
    case instance(String)
    case peer
  }

  enum Output: Equatable {
    /// Find the addresses of a sender on one interface.
    case resolve(SenderID, ServiceInstance)
    case stopResolving(SenderID)
    case connect(ConnectionID, Endpoint)
    case cancelConnecting(ConnectionID)
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
  /// Sessions with one sender that may come to nothing.
  static let maximumSessions = 3

  /// Later rounds wait as long as this one.
  private let lastRound: Int
  private let isLong: Bool
  /// Whether senders are resolved and not yet connected to.
  private(set) var isHeld: Bool
  /// Whether no connection is begun, until `resume`.
  private var isPaused = false
  /// Whom alone to try; `nil` for anybody.
  private var only: Set<SenderID>?

  private var senders: [SenderID: SearchedSender] = [:]
  private var owners: [ConnectionID: SenderID] = [:]
  private var counter = 0

  // Where a flood of forged entries is listed, only the few that are being tried may cost anything at each event.
  // An entry below may be stale: the sender's phase decides.

  /// Those being resolved or connected to, or that wait for that with their addresses known.
  private var active: Set<SenderID> = []
  /// Whether nobody is to be tried, until `restart`.
  private var isStopped = false
  /// Sessions under way.
  private var inSession = 0
  /// How many turns to be connected to have been given.
  private var connectingTurns = 0
  private var waiting: WaitingSenders
  /// Those that were not answered for in their turn and are still being asked about, the first first.
  private var lingering: [WaitingSenders.Entry] = []
  /// Those that rest after a try, by round. All of one round rest equally long, so the first is the first to be done.
  private var resting: [[(id: SenderID, until: Moment)]]

  /// - Parameters:
  ///   - isHeld: whether to begin with nobody is connected to.
  ///   - isLong: whether the search goes on for hours: then an entry that answers nothing is tried a minute apart in the
  ///     end, and whoever is done is forgotten once it is gone.
  init(isHeld: Bool = false, isLong: Bool = false) {
    self.isHeld = isHeld
    self.isLong = isLong
    lastRound = isLong ? 9 : 3
    waiting = WaitingSenders(rounds: lastRound + 1)
    resting = Array(repeating: [], count: lastRound + 1)
  }

  /// Nobody is being tried, and nobody waits to be.
  var isIdle: Bool {
    senders.allSatisfy { id, sender in
      if case .done = sender.phase { true } else { only?.contains(id) == false }
    }
  }

  /// Those that can be connected to, and are not.
  var reachable: [SenderID] {
    active.filter { id in
      guard let sender = senders[id], sender.hasMore else { return false }
      return switch sender.phase {
      case .resolving, .reachable: true
      default: false
      }
    }
  }

  private var reachableCount: Int { active.count { senders[$0]?.isReachable == true } }

  /// Whether a sender is still listed, or in session.
  func isNear(_ id: SenderID) -> Bool {
    guard let sender = senders[id] else { return false }
    if case .inSession = sender.phase { return true }
    return !sender.routes.isEmpty
  }

  /// When `deadlinePassed` is due.
  var deadline: Moment? {
    let tries = active.compactMap { senders[$0] }.compactMap { sender -> Moment? in
      switch sender.phase {
      case .resolving(let end): end
      case .connecting(let end): sender.hasMore ? min(end, sender.nextAttempt) : end
      case .waiting, .reachable, .inSession, .resting, .done: nil
      }
    }
    return (tries + resting.compactMap(\.first?.until)).min()
  }

  // MARK: Who is there

  mutating func add(peer: Endpoint, at now: Moment) -> [Output] {
    senders[.peer] = SearchedSender(order: next(), routes: [], endpoints: [peer])
    enqueue(.peer)
    return proceed(at: now)
  }

  /// Whether this is the first that is heard of the instance, and what follows.
  mutating func found(_ instance: ServiceInstance, at now: Moment) -> (isNew: Bool, [Output]) {
    let id = SenderID.instance(instance.name)
    guard var sender = senders[id] else {
      senders[id] = SearchedSender(order: next(), routes: [instance], endpoints: [])
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
    guard var sender = senders[id], sender.isResolving, !sender.endpoints.contains(endpoint) else { return [] }
    switch sender.phase {
    case .waiting, .resting:
      guard reachableCount < Self.maximumReachable, isWanted(id) else { return [] }
      sender.phase = .reachable
      active.insert(id)
    case .resolving, .reachable, .connecting, .inSession, .done: break
    }
    sender.add(endpoint, likelihood)
    senders[id] = sender
    return proceed(at: now)
  }

  /// The connection stands. `nil` where it is not wanted any more.
  mutating func connected(_ connection: ConnectionID, at now: Moment) -> (SenderID, [Output])? {
    guard let id = owners.removeValue(forKey: connection), var sender = senders[id] else { return nil }
    sender.attempts.remove(connection)
    let outputs = stop(&sender, id)
    sender.phase = .inSession
    sender.sessions += 1
    inSession += 1
    active.remove(id)
    senders[id] = sender
    return (id, outputs + proceed(at: now))
  }

  mutating func connectFailed(_ connection: ConnectionID, at now: Moment) -> [Output] {
    guard let id = owners.removeValue(forKey: connection), var sender = senders[id] else { return [] }
    sender.attempts.remove(connection)
    sender.nextAttempt = now
    var outputs: [Output] = []
    if sender.attempts.isEmpty, !sender.hasMore {
      if sender.isResolving, case .connecting(let end) = sender.phase {
        // Another address may be on its way; but others need not wait for that.
        sender.phase = .resolving(until: min(now + sender.turn, sender.turnEnd))
        // What fails at once takes nothing from others.
        if now < end - Times.handshake + Times.stagger { sender.turns -= 1 }
      } else {
        outputs += rest(&sender, id, at: now)
      }
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
      case .resolving(let end) where end <= now && sender.hasMore && reachableCount < Self.maximumReachable:
        outputs += stop(&sender, id)
        sender.phase = .reachable
        senders[id] = sender
      case .resolving(let end) where end <= now, .connecting(let end) where end <= now:
        outputs += rest(&sender, id, at: now)
        note(sender, as: id)
      default:
        break
      }
    }
    for round in resting.indices {
      let rested = resting[round].prefix { $0.until <= now }
      resting[round].removeFirst(rested.count)
      for (id, until) in rested {
        if case .resting(until) = senders[id]?.phase { enqueue(id) }
      }
    }
    return outputs + proceed(at: now)
  }

  /// A sender is not wanted.
  mutating func dismiss(_ id: SenderID, at now: Moment) -> [Output] {
    guard var sender = senders[id] else { return [] }
    if case .inSession = sender.phase { return [] }
    let outputs = stop(&sender, id)
    sender.phase = .done
    // Who is gone may come back.
    senders[id] = isGone(sender, id) ? nil : sender
    active.remove(id)
    return outputs + proceed(at: now)
  }

  /// Begins no connections until `resume`. Those that are being made go on.
  mutating func pause() { isPaused = true }

  mutating func resume(at now: Moment) -> [Output] {
    guard isPaused else { return [] }
    isPaused = false
    return proceed(at: now)
  }

  /// From now on nobody is connected to, and anybody may be later.
  mutating func hold(at now: Moment) -> [Output] {
    isHeld = true
    only = nil
    return proceed(at: now)
  }

  /// From now on these alone are tried, or anybody where nobody is named.
  mutating func release(only ids: Set<SenderID>? = nil, at now: Moment) -> [Output] {
    isHeld = false
    only = ids
    var outputs: [Output] = []
    if let ids {
      for id in active.subtracting(ids).sorted(by: { isBefore($0, $1) }) {
        guard var sender = senders[id] else { continue }
        outputs += stop(&sender, id)
        senders[id] = sender
        active.remove(id)
        enqueue(id)
      }
    }
    return outputs + proceed(at: now)
  }

  /// All that are known are tried anew, as if they had just been found.
  mutating func restart(at now: Moment) -> [Output] {
    for (id, sender) in senders.sorted(by: { $0.value.order < $1.value.order }) {
      if case .done = sender.phase {} else { continue }
      if isGone(sender, id) {
        senders[id] = nil
        continue
      }
      senders[id]?.rounds = 0
      senders[id]?.turns = 0
      senders[id]?.sessions = 0
      enqueue(id)
    }
    isStopped = false
    return proceed(at: now)
  }

  /// Nobody is tried any more.
  mutating func stopAll() -> [Output] {
    var outputs: [Output] = []
    for id in senders.keys {
      guard var sender = senders[id] else { continue }
      outputs += stop(&sender, id)
      if case .inSession = sender.phase {} else { sender.phase = .done }
      senders[id] = sender
    }
    active = []
    resting = resting.map { _ in [] }
    isStopped = true
    return outputs
  }

  // MARK: What is next

  private mutating func proceed(at now: Moment) -> [Output] {
    guard !isStopped else { return [] }
    var outputs: [Output] = []
    while let id = nextWaiting() { outputs += begin(id, at: now) }
    while let id = nextReachable() {
      senders[id]?.phase = .connecting(until: now + Times.handshake)
      senders[id]?.turns += 1
      connectingTurns += 1
    }
    for id in active.sorted(by: { isBefore($0, $1) }) {
      guard var sender = senders[id], sender.isConnecting else { continue }
      outputs += attempt(&sender, id, at: now)
      senders[id] = sender
    }
    return outputs
  }

  /// The next to be connected to, if there is room for it: of those that were so least often, by turns the one that was
  /// told of last and the one that was told of first. However many hosts there are that hang, each has one turn before any
  /// has two.
  private func nextReachable() -> SenderID? {
    guard !isHeld, !isPaused, busy < Self.maximumConnections else { return nil }
    let candidates = reachable.compactMap { id in senders[id].map { (id: id, turns: $0.turns, order: $0.order) } }
    let takesLast = connectingTurns.isMultiple(of: 2)
    return candidates.min { left, right in
      (left.turns, takesLast ? right.order : left.order) < (right.turns, takesLast ? left.order : right.order)
    }?.id
  }

  private mutating func enqueue(_ id: SenderID) {
    guard let sender = senders[id] else { return }
    senders[id]?.phase = .waiting
    waiting.add(id, order: sender.order, round: round(of: sender))
  }

  /// Takes the next whose turn it is, if there is room for it.
  private mutating func nextWaiting() -> SenderID? {
    guard resolvingCount < Self.maximumResolving else { return nil }
    return waiting.next(
      where: { [only] entry in only?.contains(entry.id) ?? true },
      unless: { [senders] entry in
        guard let sender = senders[entry.id], case .waiting = sender.phase else { return true }
        return sender.order != entry.order
      })
  }

  private func isBefore(_ left: SenderID, _ right: SenderID) -> Bool {
    guard let left = senders[left], let right = senders[right] else { return false }
    return (left.rounds, right.order) < (right.rounds, left.order)
  }

  private func round(of sender: SearchedSender) -> Int { min(sender.rounds, lastRound) }

  private mutating func begin(_ id: SenderID, at now: Moment) -> [Output] {
    guard var sender = senders[id] else { return [] }
    defer { senders[id] = sender }
    // Asked anew rather than further: a question that was lost is not repeated for a second.
    let outputs = stop(&sender, id)
    active.insert(id)
    sender.tried = 0
    if case .peer = id {
      sender.phase = .connecting(until: now + Times.handshake)
      return []
    }
    sender.endpoints = []
    sender.likelihoods = [:]
    sender.isResolving = true
    let end = now + sender.turn
    sender.phase = .resolving(until: end)
    sender.turnEnd = end + Times.handshake
    return outputs + sender.routes.map { .resolve(id, $0) }
  }

  /// Tries the next address: at once where none is being tried, staggered otherwise.
  private mutating func attempt(_ sender: inout SearchedSender, _ id: SenderID, at now: Moment) -> [Output] {
    guard sender.hasMore, sender.attempts.isEmpty || now >= sender.nextAttempt else { return [] }
    let connection = next()
    owners[connection] = id
    sender.attempts.insert(connection)
    sender.tried += 1
    sender.nextAttempt = now + Times.stagger
    return [.connect(connection, sender.endpoints[sender.tried - 1])]
  }

  private mutating func rest(_ sender: inout SearchedSender, _ id: SenderID, at now: Moment) -> [Output] {
    let outputs = sender.isResolving && sender.endpoints.isEmpty ? linger(sender, id) : stop(&sender, id)
    sender.rounds += 1
    let round = round(of: sender)
    let until = now + .milliseconds(125 << round)
    active.remove(id)
    sender.phase = .resting(until: until)
    resting[round].append((id, until))
    return outputs
  }

  /// Goes on asking about a sender, in place of the one asked about longest where there are too many. To stop takes as
  /// long as to ask, and a daemon that is too busy to answer in time is kept busier by it.
  private mutating func linger(_ sender: SearchedSender, _ id: SenderID) -> [Output] {
    lingering.append((id, sender.order))
    guard lingering.count > Self.maximumLingering else { return [] }
    let (first, order) = lingering.removeFirst()
    guard var longest = senders[first], longest.order == order, !active.contains(first) else { return [] }
    let outputs = stop(&longest, first)
    senders[first] = longest
    return outputs
  }

  /// Keeps what has become of a sender, but not of one that is gone and could not be tried again; in a long search not of
  /// one that is done either.
  private mutating func note(_ sender: SearchedSender, as id: SenderID) {
    let isGone = isGone(sender, id)
    switch sender.phase {
    case .resting where isGone, .done where isGone && isLong: senders[id] = nil
    default: senders[id] = sender
    }
  }

  private mutating func stop(_ sender: inout SearchedSender, _ id: SenderID) -> [Output] {
    var outputs: [Output] = sender.isResolving ? [.stopResolving(id)] : []
    sender.isResolving = false
    for connection in sender.attempts.sorted() {
      owners[connection] = nil
      outputs.append(.cancelConnecting(connection))
    }
    sender.attempts = []
    return outputs
  }

  /// Connections that are being made or held.
  private var busy: Int { active.count { senders[$0]?.isConnecting == true } + inSession }

  private var resolvingCount: Int {
    active.count { senders[$0].map { $0.isResolving && !$0.isReachable } == true }
  }

  /// Whether nobody announces it any more.
  private func isGone(_ sender: SearchedSender, _ id: SenderID) -> Bool { sender.routes.isEmpty && id != .peer }

  private func isWanted(_ id: SenderID) -> Bool { only?.contains(id) ?? true }

  private mutating func next() -> Int {
    counter += 1
    return counter
  }
}
