import BumpDiscovery
import BumpMultipeer
import Lab
import NIOCore

@testable import MultipeerConnectivity

/// The real environment, and what happens to their connections.
final class WatchedEnvironment: PeerEnvironment {
  /// How many connections were made, are over, and how often one was not read for a while.
  struct Counts: Sendable {
    var made = 0
    var closed = 0
    var pauses = 0
  }

  private let base = NetworkEnvironment()
  let counts = ObservedValue(Counts())

  var now: Moment { base.now }
  var networks: LocalNetworks { base.networks }
  var discovery: any Discovery { get async { await base.discovery } }

  func schedule(at due: Moment, for peer: PeerID, _ body: @escaping @Sendable () -> Void) -> any Scheduling {
    base.schedule(at: due, for: peer, body)
  }

  func listen(_ accepted: @escaping @Sendable (any PeerConnection) -> Void) throws -> UInt16 {
    try base.listen { [counts] in accepted(WatchedConnection($0, counts)) }
  }

  func connect(_ call: PeerCall, then: @escaping @Sendable ((any PeerConnection)?) -> Void) {
    base.connect(call) { [counts] connection in then(connection.map { WatchedConnection($0, counts) }) }
  }

  /// Waits until each connection that was made is over: its descriptor is closed, and whoever held it has heard it.
  func settled() async throws { try await counts.wait { $0.made == $0.closed ? () : nil } }
}

private final class WatchedConnection: PeerConnection {
  private let base: any PeerConnection
  private let counts: ObservedValue<WatchedEnvironment.Counts>

  init(_ base: any PeerConnection, _ counts: ObservedValue<WatchedEnvironment.Counts>) {
    (self.base, self.counts) = (base, counts)
    counts.change { $0.made += 1 }
  }

  var route: Route? { base.route }
  var hasRoom: Bool { base.hasRoom }
  func execute(_ body: @escaping @Sendable () -> Void) { base.execute(body) }
  func schedule(in delay: Duration, _ body: @escaping @Sendable () -> Void) -> any Scheduling {
    base.schedule(in: delay, body)
  }

  func deliver(to sink: @escaping @Sendable (ConnectionEvent) -> Void) {
    base.deliver { [counts] event in
      sink(event)
      if case .closed = event { counts.change { $0.closed += 1 } }
    }
  }

  func send(_ bytes: [UInt8]) { base.send(bytes) }
  func close() { base.close() }

  func pause() {
    base.pause()
    counts.change { $0.pauses += 1 }
  }

  func resume() { base.resume() }
}
