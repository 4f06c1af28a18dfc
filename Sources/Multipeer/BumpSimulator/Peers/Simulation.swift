#if os(Linux)
  public import BumpFaults
  import BumpMultipeer
  public import MultipeerConnectivity

  /// Peers of one process under a plan, without a network and on a clock that a test moves: with the same results each
  /// time, and without waiting.
  public struct Simulation: Sendable {
    /// The plan of the faults; `nil` for none.
    public let plan: FaultPlan?
    private let world: SimulatedWorld

    let node: PeerNode

    init(_ plan: FaultPlan?) {
      self.plan = plan
      world = SimulatedWorld(plan)
      node = PeerNode(world, faults: world.faults)
    }

    /// How much simulated time has passed.
    public var elapsed: Duration { world.now }

    /// Moves the simulated time on, runs all that becomes due, and returns when every delegate has been called.
    ///
    /// It waits for the delegates' methods, and for their work on the thread on which they are called. It does not wait
    /// for a program's own queues and tasks. After the end of the simulation it returns at once.
    ///
    /// - Parameter time: not negative; otherwise the program ends.
    public func advance(by time: Duration) async { await world.advance(by: time) }

    /// Calls a closure after this simulated time, as a program's timer.
    ///
    /// - Parameter peer: the peer whose program has the timer. While it is in the background, the timer waits.
    public func after(_ time: Duration, for peer: MCPeerID? = nil, _ body: @escaping @Sendable () -> Void) {
      world.add(at: world.now + time, for: peer?.identity) { self.inside(body) }
    }

    /// Runs a closure in the simulation: the peers that it makes are part of the simulation.
    public func inside<Result>(_ body: () throws -> Result) rethrows -> Result {
      try PeerNode.$local.withValue(node, operation: body)
    }

    /// Puts a program into the background, as when its person opens another app. Nothing of it is called, and timers of
    /// `after` with its peer wait. Its sessions end, and the others lose it.
    ///
    /// - Parameter delay: how long the others do not notice. After ten seconds of silence a session ends in any case,
    ///   unless the plan changes that time.
    public func enterBackground(_ peer: MCPeerID, noticedAfter delay: Duration = .zero) {
      world.enterBackground(peer.identity, noticedAfter: delay)
    }

    /// Brings a program back to the foreground. Its advertiser and its browser continue. Its sessions have ended, which
    /// their delegates learn now.
    public func enterForeground(_ peer: MCPeerID) { world.enterForeground(peer.identity) }

    func finish() { world.finish() }
  }
#endif
