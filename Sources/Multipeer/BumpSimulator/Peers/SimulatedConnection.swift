#if os(Linux)
  import BumpMultipeer
  import MultipeerConnectivity
  import Synchronization

  /// One end of a connection in memory.
  final class SimulatedConnection: PeerConnection {
    static let port: UInt16 = 7000

    private struct State {
      var sink: (@Sendable (ConnectionEvent) -> Void)?
      var mate: SimulatedConnection?
      /// Events that have come and are not delivered yet.
      var events: [ConnectionEvent] = []
      var isPaused = false
      var isClosed = false
    }

    let owner: PeerID
    private let world: SimulatedWorld
    private let state = Mutex(State())

    private init(_ owner: PeerID, in world: SimulatedWorld) { (self.owner, self.world) = (owner, world) }

    static func pair(
      _ opener: PeerID, _ other: PeerID, in world: SimulatedWorld
    ) -> (SimulatedConnection, SimulatedConnection) {
      let pair = (SimulatedConnection(opener, in: world), SimulatedConnection(other, in: world))
      pair.0.state.withLock { $0.mate = pair.1 }
      pair.1.state.withLock { $0.mate = pair.0 }
      return pair
    }

    var mate: SimulatedConnection? { state.withLock { $0.mate } }
    var hasRoom: Bool { true }
    /// All peers of a simulation are on one host.
    var route: Route? {
      HostAddress(address: [127, 0, 0, 1], port: Self.port).map { Route(local: $0, remote: $0) }
    }

    func execute(_ body: @escaping @Sendable () -> Void) { world.add(at: world.now, for: owner, body) }

    func schedule(in delay: Duration, _ body: @escaping @Sendable () -> Void) -> any Scheduling {
      world.add(at: world.now + delay, for: owner, body)
    }

    func deliver(to sink: @escaping @Sendable (ConnectionEvent) -> Void) {
      state.withLock { $0.sink = sink }
      drain()
    }

    func send(_ bytes: [UInt8]) {
      guard let mate = state.withLock({ $0.isClosed ? nil : $0.mate }) else { return }
      world.add(at: world.now + SimulatedWorld.latency, for: mate.owner, isKept: false) { [world, owner] in
        // If the sender is gone by then, it does not send again what the network has lost.
        if !world.isGone(owner) { mate.came(.received(bytes)) }
      }
    }

    func close() {
      let mate = state.withLock { state in
        defer { (state.isClosed, state.mate, state.sink, state.events) = (true, nil, nil, []) }
        return state.isClosed ? nil : state.mate
      }
      guard let mate else { return }
      world.add(at: world.now + SimulatedWorld.latency, for: mate.owner, isKept: false) { mate.came(.closed) }
    }

    /// Ends the connection for one of its ends.
    func breakOff(for end: SimulatedConnection?) {
      guard let end else { return }
      world.add(at: world.now, for: end.owner, isKept: false) { end.came(.closed) }
    }

    func pause() { state.withLock { $0.isPaused = true } }

    func resume() {
      state.withLock { $0.isPaused = false }
      execute { self.drain() }
    }

    private func came(_ event: ConnectionEvent) {
      state.withLock { state in
        guard !state.isClosed else { return }
        if case .closed = event { (state.isClosed, state.mate) = (true, nil) }
        state.events.append(event)
      }
      drain()
    }

    private func drain() {
      while let (sink, event) = state.withLock({ state -> ((@Sendable (ConnectionEvent) -> Void), ConnectionEvent)? in
        guard let sink = state.sink, !state.isPaused, !state.events.isEmpty else { return nil }
        return (sink, state.events.removeFirst())
      }) {
        sink(event)
      }
    }
  }
#endif
