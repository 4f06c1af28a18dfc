import BumpDiscovery
import BumpWire
import NIOCore

/// The senders nearby, from the events of discovery. Decides which announcement to resolve when, and which events to
/// report. Pure.
///
/// Each announcement on each interface is resolved by itself, at most 32 at a time. An announcement that does not
/// resolve is tried again ever more rarely, at last once a minute. So a thousand forged ones delay the true ones by
/// seconds.
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

  private enum Phase: Equatable {
    case waiting
    case resolving(until: Moment)
    case resting(until: Moment)
    case known
  }

  private struct Route {
    let order: Int
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
  private var schedule = ResolvingSchedule<ServiceInstance>(isLong: true)
  private var counter = 0

  init(wantsAddresses: Bool = true) { self.wantsAddresses = wantsAddresses }

  /// When `deadlinePassed` is due.
  var deadline: Moment? {
    let turns = resolving.compactMap { instance -> Moment? in
      if case .resolving(let until) = routes[instance]?.phase { until } else { nil }
    }
    return (turns + [schedule.deadline].compactMap(\.self)).min()
  }

  mutating func found(_ instance: ServiceInstance, at now: Moment) -> [Output] {
    guard routes[instance] == nil else { return [] }
    counter += 1
    wait(instance, Route(order: counter))
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
        route.round += 1
        route.phase = .resting(until: schedule.rest(instance, round: route.round, at: now))
      } else {
        route.phase = .known
      }
      routes[instance] = route
    }
    for (instance, until) in schedule.wake(at: now) {
      guard var route = routes[instance], route.phase == .resting(until: until) else { continue }
      route.phase = .waiting
      wait(instance, route)
    }
    return outputs + proceed(at: now)
  }

  private mutating func wait(_ instance: ServiceInstance, _ route: Route) {
    routes[instance] = route
    schedule.wait(
      instance, order: route.order, round: route.round, among: routes.count,
      unless: { [routes] in Self.isStale($0, routes) })
  }

  /// Whether an entry of the schedule is of an instance that waits no longer, or was lost and found again.
  private static func isStale(
    _ entry: ResolvingSchedule<ServiceInstance>.Waiting, _ routes: [ServiceInstance: Route]
  ) -> Bool {
    routes[entry.id].map { $0.phase != .waiting || $0.order != entry.order } ?? true
  }

  /// The number of instances that wait, with the stale entries.
  var waitingCount: Int { schedule.waitingCount }

  private mutating func proceed(at now: Moment) -> [Output] {
    var outputs: [Output] = []
    while resolving.count < Self.maximumResolving,
      let instance = schedule.next(unless: { [routes] in Self.isStale($0, routes) }), var route = routes[instance]
    {
      let turn = ResolvingSchedule<ServiceInstance>.turn(first: Self.firstTurn, round: route.round)
      route.phase = .resolving(until: now + turn)
      routes[instance] = route
      resolving.insert(instance)
      outputs.append(.resolve(instance))
    }
    return outputs
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
