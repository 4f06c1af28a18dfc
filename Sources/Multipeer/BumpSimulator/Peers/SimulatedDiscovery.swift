#if os(Linux)
  import BumpDiscovery
  import BumpMultipeer
  import MultipeerConnectivity
  import NIOCore
  import Synchronization

  /// Discovery among the peers of a simulation.
  final class SimulatedDiscovery: Discovery {
    private struct State {
      var services: [ServiceInstance: Advertisement] = [:]
      /// The instance names of peers in the background.
      var hidden: Set<String> = []
      var feeds: [WeakFeed] = []
    }

    private struct WeakFeed: Sendable {
      weak let feed: Feed?
    }

    private unowned let world: SimulatedWorld
    private let state = Mutex(State())

    init(_ world: SimulatedWorld) { self.world = world }

    var backend: String { "simulated" }

    func advertise(_ service: Advertisement) -> AsyncThrowingStream<String, any Error> {
      defer { world.end() }
      return AsyncThrowingStream { continuation in
        let instance = ServiceInstance(name: service.name, type: service.type.description, interface: 0)
        state.withLock { $0.services[instance] = service }
        appear(instance)
        continuation.onTermination = { [weak self] _ in
          self?.state.withLock { $0.services[instance] = nil }
          self?.disappear(instance)
        }
      }
    }

    /// Yields all instances of the type: peers of MultipeerConnectivity have no subtypes.
    func browse(_ type: ServiceType, subtype: ServiceSubtype?) -> AsyncThrowingStream<BrowseEvent, any Error> {
      browse(type, for: nil)
    }

    /// - Parameter peer: the peer that browses. While it is in the background, it gets no events.
    func browse(_ type: ServiceType, for peer: PeerID?) -> AsyncThrowingStream<BrowseEvent, any Error> {
      let feed = Feed(type.description, peer, world)
      let instances = state.withLock { state in
        state.feeds = state.feeds.filter { $0.feed != nil } + [WeakFeed(feed: feed)]
        return state.services.keys.filter { $0.type == feed.type && !state.hidden.contains($0.name) }
      }
      for instance in instances.sorted(by: { $0.name < $1.name }) { report(instance, to: [WeakFeed(feed: feed)]) }
      return AsyncThrowingStream { await feed.next() }
    }

    func resolve(_ instance: ServiceInstance) async throws -> ResolvedService {
      guard let service = state.withLock({ $0.services[instance] }) else {
        throw DiscoveryError(.failed, "nobody answers")
      }
      return ResolvedService(
        host: "\(instance.name).local.", port: service.port, txt: service.txt, interface: instance.interface)
    }

    func addresses(of service: ResolvedService) -> AsyncThrowingStream<SocketAddress, any Error> {
      AsyncThrowingStream { continuation in
        if let address = try? SocketAddress(ipAddress: "127.0.0.1", port: Int(service.port)) {
          continuation.yield(address)
        }
      }
    }

    // MARK: Hosts

    func hide(_ peer: PeerID) { for instance in instances(of: peer, areHidden: true) { disappear(instance) } }

    func show(_ peer: PeerID) { for instance in instances(of: peer, areHidden: false) { appear(instance) } }

    private func instances(of peer: PeerID, areHidden: Bool) -> [ServiceInstance] {
      let name = PeerNode.instanceName(of: peer)
      return state.withLock { state in
        if areHidden { state.hidden.insert(name) } else { state.hidden.remove(name) }
        return state.services.keys.filter { $0.name == name }
      }
    }

    private func appear(_ instance: ServiceInstance) { report(instance, to: state.withLock { $0.feeds }) }

    private func report(_ instance: ServiceInstance, to feeds: [WeakFeed]) {
      for feed in feeds where feed.feed?.type == instance.type {
        world.add(at: world.now + SimulatedWorld.finding, for: feed.feed?.owner) { [weak self] in
          let isThere = self?.state.withLock { $0.services[instance] != nil && !$0.hidden.contains(instance.name) }
          if isThere == true { feed.feed?.push(.found(instance)) }
        }
      }
    }

    private func disappear(_ instance: ServiceInstance) {
      for feed in state.withLock({ $0.feeds }) where feed.feed?.type == instance.type {
        world.add(at: world.now + SimulatedWorld.latency, for: feed.feed?.owner) { feed.feed?.push(.lost(instance)) }
      }
    }
  }

  /// The events of one browser. The world waits until the browser has handled an event and asks for the next one.
  private final class Feed: Sendable {
    private struct State {
      var events: [BrowseEvent] = []
      var waiter: CheckedContinuation<BrowseEvent?, Never>?
      /// Whether the browser has something to do. At first it has to begin.
      var isBusy = true
      var isOver = false
    }

    let type: String
    let owner: PeerID?
    private let world: SimulatedWorld
    private let state = Mutex(State())

    init(_ type: String, _ owner: PeerID?, _ world: SimulatedWorld) {
      (self.type, self.owner, self.world) = (type, owner, world)
    }

    deinit {
      let left = state.withLock { $0.events.count + ($0.isBusy ? 1 : 0) }
      for _ in 0..<left { world.end() }
    }

    func push(_ event: BrowseEvent) {
      world.begin()
      let waiter = state.withLock { state -> CheckedContinuation<BrowseEvent?, Never>? in
        guard let waiter = state.waiter else {
          state.events.append(event)
          return nil
        }
        state.waiter = nil
        state.isBusy = true
        return waiter
      }
      // Without the lock: resuming takes a lock of the browsing task, under which its cancellation takes the lock here.
      waiter?.resume(returning: event)
    }

    func next() async -> BrowseEvent? {
      let wasBusy = state.withLock { state in
        defer { state.isBusy = false }
        return state.isBusy
      }
      if wasBusy { world.end() }
      return await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          state.withLock { state in
            if state.isOver { return continuation.resume(returning: nil) }
            guard !state.events.isEmpty else { return state.waiter = continuation }
            state.isBusy = true
            continuation.resume(returning: state.events.removeFirst())
          }
        }
      } onCancel: {
        let waiter = state.withLock { state in
          state.isOver = true
          defer { state.waiter = nil }
          return state.waiter
        }
        waiter?.resume(returning: nil)
      }
    }
  }
#endif
