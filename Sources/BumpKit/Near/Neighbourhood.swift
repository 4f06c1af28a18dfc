import BumpDiscovery
import BumpWire
import NIOCore

/// Who is near, from what discovery says: whom to resolve when, and what there is to tell. Pure.
///
/// Each announcement on each interface is resolved by itself. No more than 32 are at once, the newest first, and what
/// does not answer is asked a minute apart in the end, so that a thousand forged ones delay the true ones by seconds.
struct Neighbourhood {
  enum Output: Equatable {
    case resolve(ServiceInstance)
    case stopResolving(ServiceInstance)
    case tell(NeighbourEvent)
  }

  static let maximumResolving = 32
  static let maximumAddresses = 16
  /// How long further addresses are waited for once there is one.
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
    /// In the order in which they were seen.
    var instances: [ServiceInstance] = []
  }

  // As many as discovery lists, which bounds them.
  private var seen: [String: Seen] = [:]
  private var routes: [ServiceInstance: Route] = [:]
  private var resolving: Set<ServiceInstance> = []
  /// Those that wait, by round, the newest last. An entry may be stale: the phase decides.
  private var waiting: [[ServiceInstance]] = Array(repeating: [], count: lastRound + 1)
  /// Those that rest, by round. All of one round rest equally long, so the first is the first to be done.
  private var resting: [[(instance: ServiceInstance, until: Moment)]] = Array(repeating: [], count: lastRound + 1)

  /// When `deadlinePassed` is due.
  var deadline: Moment? {
    let turns = resolving.compactMap { instance -> Moment? in
      if case .resolving(let until) = routes[instance]?.phase { until } else { nil }
    }
    return (turns + resting.compactMap(\.first?.until)).min()
  }

  mutating func found(_ instance: ServiceInstance, at now: Moment) -> [Output] {
    guard routes[instance] == nil else { return [] }
    routes[instance] = Route()
    waiting[0].append(instance)
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

  mutating func described(_ instance: ServiceInstance, _ txt: TXTRecord) {
    guard resolving.contains(instance) else { return }
    seen[instance.name]?.neighbour.mode = Mode(txt)
    let channel = txt["ch"].flatMap { text in (1...99).first { String($0) == text } }
    seen[instance.name]?.neighbour.channel = channel
  }

  mutating func resolved(_ instance: ServiceInstance, _ address: SocketAddress, at now: Moment) -> [Output] {
    guard resolving.contains(instance), var route = routes[instance], !route.addresses.contains(address) else {
      return []
    }
    if route.addresses.isEmpty { route.phase = .resolving(until: now + Self.further) }
    route.addresses.append(address)
    routes[instance] = route
    guard gather(address, of: instance.name) else { return [] }
    let event = seen[instance.name]?.isThere == true ? NeighbourEvent.changed : NeighbourEvent.resolved
    seen[instance.name]?.isThere = true
    return [tell(event, instance.name, at: now)].compactMap(\.self)
  }

  mutating func deadlinePassed(at now: Moment) -> [Output] {
    var outputs: [Output] = []
    for instance in resolving {
      guard var route = routes[instance], case .resolving(let until) = route.phase, until <= now else { continue }
      resolving.remove(instance)
      outputs.append(.stopResolving(instance))
      if route.addresses.isEmpty {
        route.round = min(route.round + 1, Self.lastRound)
        let until = now + .milliseconds(125 << route.round)
        route.phase = .resting(until: until)
        resting[route.round].append((instance, until))
      } else {
        route.phase = .known
      }
      routes[instance] = route
    }
    for round in resting.indices {
      let rested = resting[round].prefix { $0.until <= now }
      resting[round].removeFirst(rested.count)
      for (instance, until) in rested where routes[instance]?.phase == .resting(until: until) {
        routes[instance]?.phase = .waiting
        waiting[round].append(instance)
      }
    }
    return outputs + proceed(at: now)
  }

  private mutating func proceed(at now: Moment) -> [Output] {
    var outputs: [Output] = []
    while resolving.count < Self.maximumResolving, let instance = nextWaiting(), var route = routes[instance] {
      // A sender nearby answers in milliseconds; who loses packets gets longer turns later.
      route.phase = .resolving(until: now + .milliseconds(250 << min(route.round, 3)))
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

  /// Whether an address is news; those that an interface which is gone told of make room for it.
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
