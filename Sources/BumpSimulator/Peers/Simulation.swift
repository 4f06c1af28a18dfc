#if os(Linux)
  public import BumpFaults
  import BumpMultipeer
  public import MultipeerConnectivity

  /// Peers of one process under a plan, without a network, and on a clock that a test moves: the same each time, and at once.
  public struct Simulation: Sendable {
    /// What goes wrong; `nil` for nothing.
    public let plan: FaultPlan?
    private let world: SimulatedWorld

    let node: PeerNode

    init(_ plan: FaultPlan?) {
      self.plan = plan
      world = SimulatedWorld(plan)
      node = PeerNode(world, faults: world.faults)
    }

    /// How much time has passed in it.
    public var elapsed: Duration { world.now }

    /// Lets so much time pass: all that is due in it happens, and returns when every delegate has been called.
    ///
    /// It waits for the delegates' methods, and for what they do on the thread on which they are called. What a program does
    /// on queues and in tasks of its own, it does in its own time.
    public func advance(by time: Duration) async { await world.advance(by: time) }

    /// Calls a function after so much time of the simulation: a program's timer.
    ///
    /// - Parameter peer: whose program it is. While that is in the background, it waits.
    public func after(_ time: Duration, for peer: MCPeerID? = nil, _ body: @escaping @Sendable () -> Void) {
      world.add(at: world.now + time, for: peer?.identity) { self.inside(body) }
    }

    /// Does something in the simulation: the peers that it makes are part of it.
    public func inside<Result>(_ body: () throws -> Result) rethrows -> Result {
      try PeerNode.$local.withValue(node, operation: body)
    }

    /// Puts a program into the background, as its person does who opens another app. Nothing of it is called, and the timers
    /// that `after` was given its peer for wait. Its sessions end, and the others lose it.
    ///
    /// - Parameter delay: how long the others do not notice. After ten seconds of silence a session ends in any case.
    public func enterBackground(_ peer: MCPeerID, noticedAfter delay: Duration = .zero) {
      world.enterBackground(peer.identity, noticedAfter: delay)
    }

    /// Brings it back. Its advertiser and its browser go on by themselves; its sessions have ended, as it is told now.
    public func enterForeground(_ peer: MCPeerID) { world.enterForeground(peer.identity) }

    func finish() { world.finish() }
  }
#endif
