#if os(Linux)
  import BumpDiscovery
  import BumpFaults
  import BumpMultipeer
  import Dispatch
  import MultipeerConnectivity
  import Synchronization

  /// Surroundings in memory: the peers of one process, and a clock that moves only by `advance`, from one event to the
  /// next.
  ///
  /// The next event waits until everything that the one before has started is done, on whichever queue. So the results
  /// depend only on the plan, not on how busy the machine is.
  final class SimulatedWorld: PeerEnvironment {
    /// How long bytes take from one peer to another, and discovery takes to find a peer.
    static let latency: Duration = .milliseconds(1)
    static let finding: Duration = .milliseconds(20)
    /// How long it takes to fail to connect to a peer that is not there.
    private static let patience: Duration = .seconds(5)

    /// An event of the agenda. If its peer is in the background, it waits for the peer's return, or is dropped.
    private struct Event {
      let peer: PeerID?
      let isKept: Bool
      let handle: Handle
      let body: @Sendable () -> Void
    }

    private final class Handle: Scheduling {
      private let state = Atomic(false)
      var isCancelled: Bool { state.load(ordering: .relaxed) }
      func cancel() { state.store(true, ordering: .relaxed) }
    }

    private struct State {
      var eventQueue = EventQueue<Event>()
      var now: Moment = .zero
      var end: Moment = .zero
      /// How many closures run on queues or in tasks.
      var busy = 0
      var waiting: [(end: Moment, CheckedContinuation<Void, Never>)] = []
      var away: [PeerID: Absence] = [:]
      var absences = 0
      var gone: Set<PeerID> = []
      /// Events that wait for the return of peers in the background.
      var kept: [Event] = []
      var identities: [String: SplitMix64] = [:]
      var calls: [Set<PeerID>: Int] = [:]
      var accepted: (@Sendable (any PeerConnection) -> Void)?
      var connections: [WeakConnection] = []
      var isOver = false
    }

    /// A stay of a peer in the background.
    private struct Absence {
      let number: Int
      var isNoticed = false
    }

    private struct WeakConnection: Sendable {
      weak let connection: SimulatedConnection?
    }

    private let plan: FaultPlan?
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "bump.simulation")
    private let services = Mutex<SimulatedDiscovery?>(nil)
    let faults: PlannedFaults?

    init(_ plan: FaultPlan?) {
      self.plan = plan
      faults = plan.map { PlannedFaults($0) }
      services.withLock { $0 = SimulatedDiscovery(self) }
      faults?.onHostFault { [weak self] in self?.suffer($0, $1) }
    }

    // MARK: Time

    var now: Moment { state.withLock { $0.now } }

    func schedule(at due: Moment, for peer: PeerID, _ body: @escaping @Sendable () -> Void) -> any Scheduling {
      add(at: due, for: peer, body)
    }

    /// - Parameter isKept: whether the event waits if its peer is in the background. Otherwise it is dropped.
    @discardableResult
    func add(
      at due: Moment, for peer: PeerID?, isKept: Bool = true, _ body: @escaping @Sendable () -> Void
    ) -> any Scheduling {
      let handle = Handle()
      state.withLock { state in
        guard !state.isOver else { return }
        state.eventQueue.add(Event(peer: peer, isKept: isKept, handle: handle, body: body), at: max(due, state.now))
      }
      proceed()
      return handle
    }

    func begin() { state.withLock { $0.busy += 1 } }

    func end() {
      let isIdle = state.withLock { state in
        state.busy -= 1
        return state.busy == 0
      }
      if isIdle { proceed() }
    }

    /// Moves the clock on by this time, and runs all events that become due.
    func advance(by time: Duration) async {
      precondition(time >= .zero, "the clock of a simulation does not go back")
      await withCheckedContinuation { continuation in
        state.withLock { state in
          if state.isOver { return continuation.resume() }
          state.end += time
          state.waiting.append((state.end, continuation))
        }
        proceed()
      }
    }

    /// Ends the simulation: no more events run, and nobody waits for the clock any more.
    func finish() {
      let waiting = state.withLock { state in
        state.isOver = true
        (state.eventQueue, state.kept, state.connections) = (EventQueue(), [], [])
        defer { state.waiting = [] }
        return state.waiting
      }
      for (_, continuation) in waiting { continuation.resume() }
    }

    private func proceed() { queue.async { self.run() } }

    private func run() {
      while let event = next() { if !event.handle.isCancelled { event.body() } }
    }

    private func next() -> Event? {
      let (event, reached) = state.withLock { state -> (Event?, [CheckedContinuation<Void, Never>]) in
        guard state.busy == 0 else { return (nil, []) }
        while let due = state.eventQueue.next, due <= state.end, let event = state.eventQueue.take() {
          state.now = max(state.now, due)
          guard let peer = event.peer else { return (event, []) }
          if state.gone.contains(peer) { continue }
          guard state.away[peer] != nil else { return (event, []) }
          if event.isKept { state.kept.append(event) }
        }
        state.now = state.end
        defer { state.waiting = [] }
        return (nil, state.waiting.map { $0.1 })
      }
      for continuation in reached { continuation.resume() }
      return event
    }

    // MARK: Peers and connections

    func identity(for name: String) -> PeerID? {
      state.withLock { state in
        var generator =
          state.identities[name] ?? plan?.stream(name, "identity") ?? SplitMix64(seed: fnv1a("\(name)/identity"))
        defer { state.identities[name] = generator }
        return PeerID(generator.bytes(PeerID.length))
      }
    }

    var networks: LocalNetworks { .everywhere }
    var discovery: any Discovery { get async { services.withLock(\.self) ?? SimulatedDiscovery(self) } }

    func browse(_ type: ServiceType, for peer: PeerID) async -> AsyncThrowingStream<BrowseEvent, any Error> {
      (services.withLock(\.self) ?? SimulatedDiscovery(self)).browse(type, for: peer)
    }

    func listen(_ accepted: @escaping @Sendable (any PeerConnection) -> Void) -> UInt16 {
      state.withLock { $0.accepted = accepted }
      return SimulatedConnection.port
    }

    /// Returns whether a peer runs: it is neither in the background nor gone.
    func runs(_ peer: PeerID) -> Bool { state.withLock { $0.away[peer] == nil && !$0.gone.contains(peer) } }

    func isGone(_ peer: PeerID) -> Bool { state.withLock { $0.gone.contains(peer) } }

    func connect(_ call: PeerCall, then: @escaping @Sendable ((any PeerConnection)?) -> Void) {
      add(at: now + Self.latency * 2, for: call.from) { [self] in
        guard runs(call.to), let accepted = state.withLock({ $0.accepted }) else {
          add(at: now + Self.patience, for: call.from) { then(nil) }
          return
        }
        let number = state.withLock { state in
          state.calls[[call.from, call.to], default: 0] += 1
          return state.calls[[call.from, call.to]] ?? 1
        }
        let (near, far) = SimulatedConnection.pair(call.from, call.to, in: self)
        state.withLock { state in
          state.connections = (state.connections + [near, far].map(WeakConnection.init)).filter { $0.connection != nil }
        }
        let kind = FaultyFlow.Connection(number: number, isOfUsedSession: call.isOfUsedSession)
        accepted(faulty(far, kind, call, isOpener: false))
        then(faulty(near, kind, call, isOpener: true))
      }
    }

    private func faulty(
      _ connection: SimulatedConnection, _ kind: FaultyFlow.Connection, _ call: PeerCall, isOpener: Bool
    ) -> any PeerConnection {
      guard let plan, let faults else { return connection }
      return FaultyConnection(
        connection, FaultyFlow(plan, kind, isFromOpener: isOpener), isOpener: isOpener,
        now: { [weak self] in self?.now ?? .zero }, isDiscovering: { faults.isDiscovering(call.from, call.to) })
    }

    private func connections(of peer: PeerID) -> [SimulatedConnection] {
      state.withLock { $0.connections.compactMap(\.connection).filter { $0.owner == peer } }
    }

    // MARK: Hosts

    private func suffer(_ peer: Peer, _ fault: DrawnHostFault) {
      switch fault {
      case .vanishes(let after):
        add(at: now + after, for: nil) { [self] in _ = state.withLock { $0.gone.insert(peer.id) } }
      case .background(let after, let noticed, let returns):
        add(at: now + after, for: nil) { [self] in
          enterBackground(peer.id, noticedAfter: noticed)
          add(at: now + noticed + returns, for: nil) { self.enterForeground(peer.id) }
        }
      }
    }

    /// Puts a peer's program into the background, where nothing of it runs.
    ///
    /// - Parameter delay: the time until the others see its connections end and lose it.
    func enterBackground(_ peer: PeerID, noticedAfter delay: Duration) {
      let number = state.withLock { state -> Int? in
        guard state.away[peer] == nil else { return nil }
        state.absences += 1
        state.away[peer] = Absence(number: state.absences)
        return state.absences
      }
      guard let number else { return }
      add(at: now + delay, for: nil) { self.isNoticed(peer, number) }
    }

    /// Brings a program back to the foreground. The events that its advertiser and browser have missed run now, and its
    /// connections end.
    func enterForeground(_ peer: PeerID) {
      guard let absence = state.withLock({ $0.away[peer] }) else { return }
      isNoticed(peer, absence.number)
      isBack(peer)
    }

    /// Informs the others, once, that a peer is in the background.
    private func isNoticed(_ peer: PeerID, _ number: Int) {
      let isNews = state.withLock { state in
        guard let absence = state.away[peer], absence.number == number, !absence.isNoticed else { return false }
        state.away[peer]?.isNoticed = true
        return true
      }
      guard isNews else { return }
      for connection in connections(of: peer) { connection.breakOff(for: connection.mate) }
      services.withLock { $0 }?.hide(peer)
    }

    private func isBack(_ peer: PeerID) {
      let events = state.withLock { state in
        state.away[peer] = nil
        defer { state.kept.removeAll { $0.peer == peer } }
        return state.kept.filter { $0.peer == peer }
      }
      for connection in connections(of: peer) { connection.breakOff(for: connection) }
      for event in events { add(at: now, for: peer) { if !event.handle.isCancelled { event.body() } } }
      services.withLock { $0 }?.show(peer)
    }
  }
#endif
