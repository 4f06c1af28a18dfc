#if os(Linux)
  import BumpFaults
  import BumpMultipeer
  import MultipeerConnectivity
  import Synchronization

  /// The real network, with a plan on each connection.
  final class FaultyEnvironment: ForwardingEnvironment {
    let base = NetworkEnvironment()
    private let plan: FaultPlan
    private let faults: PlannedFaults
    /// How many connections each pair of peers has made; for accepted connections, each host with this one.
    private let calls = Mutex<[[[UInt8]]: Int]>([:])

    init(_ plan: FaultPlan, _ faults: PlannedFaults) { (self.plan, self.faults) = (plan, faults) }

    func listen(_ accepted: @escaping @Sendable (any PeerConnection) -> Void) throws -> UInt16 {
      try base.listen { connection in
        let number = self.count([connection.route?.remote.address ?? []])
        accepted(self.faulty(connection, .init(number: number), isOpener: false))
      }
    }

    func connect(_ call: PeerCall, then: @escaping @Sendable ((any PeerConnection)?) -> Void) {
      base.connect(call) { connection in
        guard let connection else { return then(nil) }
        let number = self.count([call.from.bytes, call.to.bytes])
        let kind = FaultyFlow.Connection(number: number, isOfUsedSession: call.isOfUsedSession)
        then(self.faulty(connection, kind, isOpener: true))
      }
    }

    private func count(_ key: [[UInt8]]) -> Int {
      calls.withLock { calls in
        calls[key, default: 0] += 1
        return calls[key] ?? 1
      }
    }

    private func faulty(
      _ connection: any PeerConnection, _ kind: FaultyFlow.Connection, isOpener: Bool
    ) -> any PeerConnection {
      FaultyConnection(
        connection, FaultyFlow(plan, kind, isFromOpener: isOpener), isOpener: isOpener, now: { [base] in base.now },
        isDiscovering: { [faults] in faults.isDiscovering })
    }
  }
#endif
