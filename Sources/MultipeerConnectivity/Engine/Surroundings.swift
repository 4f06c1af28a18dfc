package import BumpDiscovery
package import BumpMultipeer
package import NIOCore

/// What the peers of a node stand on: time, randomness, connections and discovery. `NetworkSurroundings` are the real ones.
package protocol Surroundings: Sendable {
  /// The time since a moment of its choice.
  var now: Moment { get }
  /// Draws identities, tickets and shares.
  var random: any RandomNumberGenerator { get }
  /// Runs something at a time, for a peer of this node.
  @discardableResult
  func schedule(at due: Moment, for peer: PeerID, _ body: @escaping @Sendable () -> Void) -> any Scheduling
  /// Takes connections from now on, and returns their port.
  ///
  /// - Throws: where no port can be had.
  func listen(_ accepted: @escaping @Sendable (any PeerConnection) -> Void) throws -> UInt16
  /// Connects, and hands over the connection; `nil` where nobody answers.
  func connect(_ call: PeerCall, then: @escaping @Sendable ((any PeerConnection)?) -> Void)
  /// What finds peers.
  var discovery: any Discovery { get async }
  /// Finds peers for one of this node.
  func browse(_ type: ServiceType, for peer: PeerID) async -> AsyncThrowingStream<BrowseEvent, any Error>
  /// The networks of this host.
  var networks: LocalNetworks { get }
  /// The identity of a new peer of that name; `nil` to draw one.
  func identity(for name: String) -> PeerID?
  /// Something goes on elsewhere, on a queue or in a task: a clock that waits for it may not move on.
  func begin()
  /// It is done.
  func end()
}

extension Surroundings {
  package var random: any RandomNumberGenerator { SystemRandomNumberGenerator() }
  package func browse(
    _ type: ServiceType, for peer: PeerID
  ) async -> AsyncThrowingStream<BrowseEvent, any Error> { await discovery.browse(type) }
  package func identity(for name: String) -> PeerID? { nil }
  package func begin() {}
  package func end() {}
}

/// Something that is to happen later.
package protocol Scheduling: Sendable {
  func cancel()
}

/// A connection that a session asks for.
package struct PeerCall: Sendable {
  package let address: SocketAddress
  package let from: PeerID
  package let to: PeerID
  /// Whether the session has had a connection before.
  package let isOfUsedSession: Bool
}

/// One connection between two peers. Whoever holds it gets its bytes and its end, in order.
package protocol PeerConnection: AnyObject, Sendable {
  /// Both ends, as the system says; `nil` once it has ended.
  var route: Route? { get }
  /// Whether there is room to send.
  var hasRoom: Bool { get }
  /// Runs something in order with the connection's events.
  func execute(_ body: @escaping @Sendable () -> Void)
  /// Does so later.
  @discardableResult
  func schedule(in delay: Duration, _ body: @escaping @Sendable () -> Void) -> any Scheduling
  /// Sets who gets the events from now on, and those that have come before. Called in order with the events.
  func deliver(to sink: @escaping @Sendable (ConnectionEvent) -> Void)
  /// Sends, in the order of the calls.
  func send(_ bytes: [UInt8])
  /// Closes once all is sent.
  func close()
  /// Reads nothing until `resume`.
  func pause()
  func resume()
}

/// What happens to a connection.
package enum ConnectionEvent: Sendable {
  case received([UInt8])
  case closed
  /// There is room to send again.
  case writable
}
