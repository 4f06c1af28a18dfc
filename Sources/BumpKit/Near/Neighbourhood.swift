import BumpDiscovery
import BumpWire
import NIOCore

/// The senders nearby, from the events of discovery. Decides which announcement to resolve when, and which events to
/// report. Pure.
///
/// Each announcement on each interface is resolved by itself, at most 32 at a time, the newest first. An announcement
/// that does not resolve is tried again ever more rarely, at last once a minute. So a thousand forged ones delay the
/// true ones by seconds.
struct Neighbourhood {
  enum Output: Equatable {
    case resolve(ServiceInstance)
    case stopResolving(ServiceInstance)
    case tell(NeighbourEvent)
  }

  static let maximumResolving = 32
  static let maximumAddresses = 16
  private static let firstTurn: Duration = .milliseconds(250)
  /// How long further addresses are awaited after the first.
  private static let further: Duration = .seconds(1)
  private static let lastRound = 9

  private enum Phase: Equatable {
    case waiting
    case resolving(until: Moment)
    case resting(until: Moment)
    case known
  }

  private struct Route {
    var phase = Phase.waiting
    var round = 0
    var addresses: [SocketAddress] = []
  }

  private struct Seen {
    var neighbour: Neighbour
    let since: Moment
    var isThere = false
    /// The instances of this name, in the order in which they were found.
    var instances: [ServiceInstance] = []
  }

  /// Whether addresses are resolved too. Otherwise a sender counts as resolved once its record is known.
  let wantsAddresses: Bool
  // Bounded, since discovery bounds the number of instances it reports.
  private var seen: [String: Seen] = [:]
  private var routes: [ServiceInstance: Route] = [:]
  private var resolving: Set<ServiceInstance> = []
  /// The instances that wait to be resolved, by round, the newest last. An entry may be stale: the route's phase
  /// decides.
  private var waiting: [[ServiceInstance]] = Array(repeating: [], count: lastRound + 1)
  private var resting = RestingSenders<ServiceInstance>(rounds: lastRound + 1)

  init(wantsAddresses: Bool = true) { self.wantsAddresses = wantsAddresses }

  /// When `deadlinePassed` is due.
  var deadline: Moment? {
    let turns = resolving.compactMap { instance -> Moment? in
      if case .resolving(let until) = routes[instance]?.phase { until } else { nil }
    }
    return (turns + [resting.deadline].compactMap(\.self)).min()
  }

  mutating func found(_ instance: ServiceInstance, at now: Moment) -> [Output] {
    guard routes[instance] == nil else { return [] }
    routes[instance] = Route()
    wait(instance, round: 0)
    let isNew = seen[instance.name] == nil
    seen[instance.name, default: Seen(neighbour: Neighbour(name: instance.name), since: now)].instances.append(instance)
    return (isNew ? [tell(NeighbourEvent.found, instance.name, at: now)].compactMap(\.self) : []) + proceed(at: now)
  }

  mutating func lost(_ instance: ServiceInstance, at now: Moment) -> [Output] {
    guard routes.removeValue(forKey: instance) != nil else { return [] }
    var outputs: [Output] = resolving.remove(instance) == nil ? [] : [.stopResolving(instance)]
    seen[instance.name]?.instances.removeAll { $0 == instance }
    if seen[instance.name]?.instances.isEmpty == true {
      outputs += [tell(NeighbourEvent.lost, instance.name, at: now)].compactMap(\.self)
      seen[instance.name] = nil
    }
    return outputs + proceed(at: now)
  }

  mutating func described(_ instance: ServiceInstance, _ announcement: Announcement, at now: Moment) -> [Output] {
    guard resolving.contains(instance) else { return [] }
    seen[instance.name]?.neighbour.mode = announcement.mode
    seen[instance.name]?.neighbour.channel = announcement.channel
    guard !wantsAddresses else { return [] }
    resolving.remove(instance)
    routes[instance]?.phase = .known
    return [.stopResolving(instance)] + arrived(instance.name, at: now) + proceed(at: now)
  }

  mutating func resolved(_ instance: ServiceInstance, _ address: SocketAddress, at now: Moment) -> [Output] {
    guard resolving.contains(instance), var route = routes[instance], !route.addresses.contains(address) else {
      return []
    }
    if route.addresses.isEmpty { route.phase = .resolving(until: now + Self.further) }
    route.addresses.append(address)
    routes[instance] = route
    guard gather(address, of: instance.name) else { return [] }
    return arrived(instance.name, at: now)
  }

  /// Reports that a sender is there or, if that was reported before, that it has changed.
  private mutating func arrived(_ name: String, at now: Moment) -> [Output] {
    let event = seen[name]?.isThere == true ? NeighbourEvent.changed : NeighbourEvent.resolved
    seen[name]?.isThere = true
    return [tell(event, name, at: now)].compactMap(\.self)
  }

  mutating func deadlinePassed(at now: Moment) -> [Output] {
    var outputs: [Output] = []
    for instance in resolving {
      guard var route = routes[instance], case .resolving(let until) = route.phase, until <= now else { continue }
      resolving.remove(instance)
      outputs.append(.stopResolving(instance))
      if route.addresses.isEmpty {
        route.round = min(route.round + 1, Self.lastRound)
        route.phase = .resting(until: resting.add(instance, round: route.round, at: now))
      } else {
        route.phase = .known
      }
      routes[instance] = route
    }
    for (instance, until) in resting.wake(at: now) {
      guard var route = routes[instance], route.phase == .resting(until: until) else { continue }
      route.phase = .waiting
      routes[instance] = route
      wait(instance, round: route.round)
    }
    return outputs + proceed(at: now)
  }

  /// Appends an instance to a round. An instance that is lost leaves a stale entry. If a round has more than twice as
  /// many entries as there are instances, with some to spare, its stale entries are dropped.
  private mutating func wait(_ instance: ServiceInstance, round: Int) {
    waiting[round].append(instance)
    guard waiting[round].count > 2 * routes.count + Self.maximumResolving else { return }
    var kept: Set<ServiceInstance> = []
    let newestFirst = waiting[round].reversed().filter { routes[$0]?.phase == .waiting && kept.insert($0).inserted }
    waiting[round] = newestFirst.reversed()
  }

  /// The number of entries in all rounds, with the stale ones.
  var waitingCount: Int { waiting.reduce(0) { $0 + $1.count } }

  private mutating func proceed(at now: Moment) -> [Output] {
    var outputs: [Output] = []
    while resolving.count < Self.maximumResolving, let instance = nextWaiting(), var route = routes[instance] {
      route.phase = .resolving(until: now + ResolvingTurn.length(first: Self.firstTurn, round: route.round))
      routes[instance] = route
      resolving.insert(instance)
      outputs.append(.resolve(instance))
    }
    return outputs
  }

  private mutating func nextWaiting() -> ServiceInstance? {
    for round in waiting.indices {
      while let instance = waiting[round].popLast() {
        if routes[instance]?.phase == .waiting { return instance }
      }
    }
    return nil
  }

  /// Adds an address of a sender. Returns whether the address is new and there is room for it. Addresses that only lost
  /// interfaces reported are dropped.
  private mutating func gather(_ address: SocketAddress, of name: String) -> Bool {
    guard let (instances, known) = seen[name].map({ ($0.instances, $0.neighbour.addresses) }) else { return false }
    let all = Set(instances.flatMap { routes[$0]?.addresses ?? [] })
    let kept = known.filter(all.contains)
    guard !kept.contains(address), kept.count < Self.maximumAddresses else { return false }
    seen[name]?.neighbour.addresses = kept + [address]
    return true
  }

  private func tell(_ event: (Neighbour) -> NeighbourEvent, _ name: String, at now: Moment) -> Output? {
    guard var neighbour = seen[name]?.neighbour, let since = seen[name]?.since else { return nil }
    neighbour.age = now - since
    return .tell(event(neighbour))
  }
}
