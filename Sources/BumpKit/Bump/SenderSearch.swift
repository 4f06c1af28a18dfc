import BumpDiscovery
import NIOCore

/// From what discovery says to a connection: whom to resolve, which address to try when, whom to try again. Pure.
///
/// The newest sender comes first, since entries of hosts that went away stay listed for an hour and more.
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

  /// Avahi answers "too many objects" to a client that resolves many more at once.
  static let maximumResolving = 32
  /// Connections at once, those that are being made and those in session.
  static let maximumConnections = 8
  /// Sessions with one sender that may come to nothing.
  static let maximumSessions = 3

  private enum Phase {
    case waiting
    case resolving(until: Moment)
    case connecting(until: Moment)
    case inSession
    case resting(until: Moment)
    case done
  }

  private struct Sender {
    var order: Int
    var routes: [ServiceInstance]
    var phase = Phase.waiting
    /// Addresses that are known, in the order they came, and how many of them were tried.
    var endpoints: [Endpoint]
    var tried = 0
    var isResolving = false
    var attempts: Set<ConnectionID> = []
    var nextAttempt = Moment.zero
    var rounds = 0
    var sessions = 0
  }

  private var senders: [SenderID: Sender] = [:]
  private var owners: [ConnectionID: SenderID] = [:]
  private var counter = 0

  /// Nobody is being tried, and nobody waits to be.
  var isIdle: Bool {
    senders.values.allSatisfy { if case .done = $0.phase { true } else { false } }
  }

  /// When `deadlinePassed` is due.
  var deadline: Moment? {
    senders.values.compactMap { sender -> Moment? in
      switch sender.phase {
      case .resolving(let end), .resting(let end): end
      case .connecting(let end): hasMore(sender) ? min(end, sender.nextAttempt) : end
      case .waiting, .inSession, .done: nil
      }
    }.min()
  }

  // MARK: Who is there

  mutating func add(peer: Endpoint, at now: Moment) -> [Output] {
    senders[.peer] = Sender(order: next(), routes: [], endpoints: [peer])
    return proceed(at: now)
  }

  /// Whether this is the first that is heard of the instance, and what follows.
  mutating func found(_ instance: ServiceInstance, at now: Moment) -> (isNew: Bool, [Output]) {
    let id = SenderID.instance(instance.name)
    guard var sender = senders[id] else {
      senders[id] = Sender(order: next(), routes: [instance], endpoints: [])
      return (true, proceed(at: now))
    }
    guard !sender.routes.contains(instance) else { return (false, []) }
    sender.routes.append(instance)
    var outputs: [Output] = []
    switch sender.phase {
    case .resolving, .connecting: if sender.isResolving { outputs.append(.resolve(id, instance)) }
    case .resting: sender.phase = .waiting
    case .waiting, .inSession, .done: break
    }
    senders[id] = sender
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
      senders[id] = nil
      return []
    case .resolving:
      senders[id] = nil
      return [.stopResolving(id)] + proceed(at: now)
    case .connecting, .inSession, .done:
      return []
    }
  }

  // MARK: What became of it

  /// An address of a sender has become known.
  mutating func resolved(_ id: SenderID, _ endpoint: Endpoint, at now: Moment) -> [Output] {
    guard var sender = senders[id], sender.isResolving, !sender.endpoints.contains(endpoint) else { return [] }
    sender.endpoints.append(endpoint)
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
    senders[id] = sender
    return (id, outputs + proceed(at: now))
  }

  mutating func connectFailed(_ connection: ConnectionID, at now: Moment) -> [Output] {
    guard let id = owners.removeValue(forKey: connection), var sender = senders[id] else { return [] }
    sender.attempts.remove(connection)
    sender.nextAttempt = now
    var outputs: [Output] = []
    if sender.attempts.isEmpty, !hasMore(sender), !sender.isResolving { outputs += rest(&sender, id, at: now) }
    senders[id] = sender
    return outputs + proceed(at: now)
  }

  /// A session is over. A sender may be tried again where what failed may pass.
  mutating func sessionEnded(_ id: SenderID, tryAgain: Bool, at now: Moment) -> [Output] {
    guard var sender = senders[id] else { return [] }
    var outputs: [Output] = []
    if tryAgain, sender.sessions < Self.maximumSessions {
      outputs += rest(&sender, id, at: now)
    } else {
      sender.phase = .done
    }
    senders[id] = sender
    return outputs + proceed(at: now)
  }

  mutating func deadlinePassed(at now: Moment) -> [Output] {
    var outputs: [Output] = []
    for id in senders.keys {
      guard var sender = senders[id] else { continue }
      switch sender.phase {
      case .resolving(let end) where end <= now, .connecting(let end) where end <= now:
        outputs += rest(&sender, id, at: now)
      case .resting(let end) where end <= now:
        sender.phase = .waiting
      default:
        break
      }
      senders[id] = sender
    }
    return outputs + proceed(at: now)
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
    return outputs
  }

  // MARK: What is next

  private mutating func proceed(at now: Moment) -> [Output] {
    var outputs: [Output] = []
    for (id, first) in senders.sorted(by: { ($0.value.rounds, -$0.value.order) < ($1.value.rounds, -$1.value.order) }) {
      var sender = first
      if case .waiting = sender.phase { outputs += begin(&sender, id, at: now) }
      if case .resolving = sender.phase, hasMore(sender), busy < Self.maximumConnections {
        sender.phase = .connecting(until: now + Times.handshake)
      }
      if case .connecting = sender.phase { outputs += attempt(&sender, id, at: now) }
      senders[id] = sender
    }
    return outputs
  }

  private func begin(_ sender: inout Sender, _ id: SenderID, at now: Moment) -> [Output] {
    if case .peer = id {
      sender.tried = 0
      sender.phase = .connecting(until: now + Times.handshake)
      return []
    }
    guard senders.values.count(where: \.isResolving) < Self.maximumResolving else { return [] }
    sender.endpoints = []
    sender.tried = 0
    sender.isResolving = true
    // A sender nearby answers in milliseconds. The first turn is short, so that a thousand forged entries
    // are gone through in time; who loses packets gets longer ones later.
    let turn = min(Duration.milliseconds(250 << min(sender.rounds, 3)), Times.handshake)
    sender.phase = .resolving(until: now + turn)
    return sender.routes.map { .resolve(id, $0) }
  }

  /// Tries the next address: at once where none is being tried, staggered otherwise.
  private mutating func attempt(_ sender: inout Sender, _ id: SenderID, at now: Moment) -> [Output] {
    guard hasMore(sender), sender.attempts.isEmpty || now >= sender.nextAttempt else { return [] }
    let connection = next()
    owners[connection] = id
    sender.attempts.insert(connection)
    sender.tried += 1
    sender.nextAttempt = now + Times.stagger
    return [.connect(connection, sender.endpoints[sender.tried - 1])]
  }

  private mutating func rest(_ sender: inout Sender, _ id: SenderID, at now: Moment) -> [Output] {
    let outputs = stop(&sender, id)
    sender.phase = .resting(until: now + .milliseconds(250 << min(sender.rounds, 2)))
    sender.rounds += 1
    return outputs
  }

  private mutating func stop(_ sender: inout Sender, _ id: SenderID) -> [Output] {
    var outputs: [Output] = sender.isResolving ? [.stopResolving(id)] : []
    sender.isResolving = false
    for connection in sender.attempts.sorted() {
      owners[connection] = nil
      outputs.append(.cancelConnecting(connection))
    }
    sender.attempts = []
    return outputs
  }

  private var busy: Int {
    senders.values.count {
      switch $0.phase {
      case .connecting, .inSession: true
      default: false
      }
    }
  }

  private func hasMore(_ sender: Sender) -> Bool { sender.tried < sender.endpoints.count }

  private mutating func next() -> Int {
    counter += 1
    return counter
  }
}
