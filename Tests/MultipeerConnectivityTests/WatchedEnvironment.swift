import Lab

@testable import MultipeerConnectivity

/// The real environment, and what happens to their connections.
final class WatchedEnvironment: ForwardingEnvironment {
  /// How many connections were made, are over, and how often one was not read for a while.
  struct Counts: Sendable {
    var made = 0
    var closed = 0
    var pauses = 0
  }

  let base = NetworkEnvironment()
  let counts = ObservedValue(Counts())

  func listen(_ accepted: @escaping @Sendable (any PeerConnection) -> Void) throws -> UInt16 {
    try base.listen { [counts] in accepted(WatchedConnection($0, counts)) }
  }

  func connect(_ call: PeerCall, then: @escaping @Sendable ((any PeerConnection)?) -> Void) {
    base.connect(call) { [counts] connection in then(connection.map { WatchedConnection($0, counts) }) }
  }

  /// Waits until each connection that was made is over: its descriptor is closed, and whoever held it has heard it.
  func settled() async throws { try await counts.wait { $0.made == $0.closed ? () : nil } }
}

private final class WatchedConnection: ForwardingConnection {
  let base: any PeerConnection
  private let counts: ObservedValue<WatchedEnvironment.Counts>

  init(_ base: any PeerConnection, _ counts: ObservedValue<WatchedEnvironment.Counts>) {
    (self.base, self.counts) = (base, counts)
    counts.change { $0.made += 1 }
  }

  func deliver(to sink: @escaping @Sendable (ConnectionEvent) -> Void) {
    base.deliver { [counts] event in
      sink(event)
      if case .closed = event { counts.change { $0.closed += 1 } }
    }
  }

  func pause() {
    base.pause()
    counts.change { $0.pauses += 1 }
  }
}
