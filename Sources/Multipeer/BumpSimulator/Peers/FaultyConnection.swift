#if os(Linux)
  import BumpFaults
  import BumpMultipeer
  import MultipeerConnectivity
  import Synchronization

  /// A connection that changes by a plan the bytes that this end sends.
  final class FaultyConnection: ForwardingConnection {
    /// How many bytes may wait before `hasRoom` is false.
    private static let window = 512 * 1024

    private enum Step {
      case bytes([UInt8])
      case cut(ByteFault.Way)
      case end
    }

    private struct State {
      var flow: FaultyFlow
      var steps: [(due: Moment, step: Step)] = []
      var waiting = 0
      var wantsRoom = false
      var isOver = false
      /// Whether the connection is cut: nothing passes any more.
      var isDead = false
      var sink: (@Sendable (ConnectionEvent) -> Void)?
    }

    let base: any PeerConnection
    private let way: ByteFault.Way
    private let now: @Sendable () -> Moment
    private let isDiscovering: @Sendable () -> Bool
    private let state: Mutex<State>

    init(
      _ base: any PeerConnection, _ flow: FaultyFlow, isOpener: Bool, now: @escaping @Sendable () -> Moment,
      isDiscovering: @escaping @Sendable () -> Bool
    ) {
      (self.base, self.now, self.isDiscovering) = (base, now, isDiscovering)
      way = isOpener ? .fromOpener : .toOpener
      state = Mutex(State(flow: flow))
    }

    var hasRoom: Bool {
      let hasRoom = state.withLock { state in
        state.wantsRoom = state.waiting >= Self.window
        return !state.wantsRoom
      }
      return hasRoom && base.hasRoom
    }

    func deliver(to sink: @escaping @Sendable (ConnectionEvent) -> Void) {
      state.withLock { $0.sink = sink }
      base.deliver { [weak self] event in
        guard
          self?.state.withLock({ state in
            // What gets the events mostly holds this connection.
            if case .closed = event { state.sink = nil }
            return state.isDead
          }) == false
        else { return }
        sink(event)
      }
    }

    func send(_ bytes: [UInt8]) {
      let isDiscovering = isDiscovering()
      state.withLock { state in
        guard !state.isOver, !state.isDead else { return }
        for arrival in state.flow.sent(bytes, isDiscovering: isDiscovering, at: now()) {
          switch arrival {
          case .bytes(let bytes, let due): add(.bytes(bytes), due, &state)
          case .cut(let due, let ends): add(.cut(ends), due, &state)
          }
        }
      }
    }

    /// Closes the connection after all that was sent. If the plan hides the end, it stays open until the other end
    /// closes it.
    func close() {
      state.withLock { state in
        guard !state.isOver, !state.isDead else { return }
        state.isOver = true
        state.sink = nil
        guard !state.flow.hidesTheEnd else { return }
        for case .bytes(let bytes, let due) in state.flow.ended(at: now()) { add(.bytes(bytes), due, &state) }
        add(.end, state.flow.settled(at: now()), &state)
      }
    }

    private func add(_ step: Step, _ due: Moment, _ state: inout State) {
      // No step that is due waits, so this one is done at once. Steps that are left can only be cuts: bytes are due in
      // order.
      let now = now()
      if due <= now, state.steps.first.map({ $0.due > now }) ?? true {
        switch step {
        case .bytes(let bytes): return base.send(bytes)
        case .end: return base.close()
        case .cut: break
        }
      }
      if case .bytes(let bytes) = step { state.waiting += bytes.count }
      // A cut is done at its time, even if delayed bytes are still waiting.
      let place = state.steps.firstIndex { $0.due > due } ?? state.steps.endIndex
      state.steps.insert((due, step), at: place)
      base.schedule(in: due - now) { self.pass() }
    }

    /// Does the steps that are due.
    private func pass() {
      let news = state.withLock { state -> (sink: (@Sendable (ConnectionEvent) -> Void)?, event: ConnectionEvent)? in
        while let (due, step) = state.steps.first, due <= now() {
          state.steps.removeFirst()
          switch step {
          case .bytes(let bytes):
            state.waiting -= bytes.count
            base.send(bytes)
          case .end: base.close()
          case .cut(let ends):
            state.isDead = true
            state.steps = []
            // An end that notices the cut sees the connection close; for the other end it stays open.
            if ends != way { base.close() }
            defer { state.sink = nil }
            return ends == way || ends == .both ? (state.sink, .closed) : nil
          }
        }
        guard state.wantsRoom, state.waiting < Self.window / 2 else { return nil }
        state.wantsRoom = false
        return (state.sink, .writable)
      }
      if let (sink, event) = news { sink?(event) }
    }
  }
#endif
