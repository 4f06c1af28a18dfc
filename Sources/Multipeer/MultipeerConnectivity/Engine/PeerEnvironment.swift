package import BumpDiscovery
package import BumpMultipeer
package import NIOCore

/// The services that the peers of a node use: time, randomness, connections and discovery. `NetworkEnvironment` are
/// the real ones.
package protocol PeerEnvironment: Sendable {
  /// The time since a moment that the implementation chooses.
  var now: Moment { get }
  /// The source of identities, tickets and shares.
  var random: any RandomNumberGenerator { get }
  /// Runs a closure at a time, for a peer of this node.
  @discardableResult
  func schedule(at due: Moment, for peer: PeerID, _ body: @escaping @Sendable () -> Void) -> any Scheduling
  /// Accepts connections from now on, and returns their port.
  ///
  /// - Throws: an error if no port can be had.
  func listen(_ accepted: @escaping @Sendable (any PeerConnection) -> Void) throws -> UInt16
  /// Connects, and calls `then` with the connection; with `nil` if nobody answers.
  func connect(_ call: PeerCall, then: @escaping @Sendable ((any PeerConnection)?) -> Void)
  /// The service that finds peers.
  var discovery: any Discovery { get async }
  /// Browses for one of this node's peers.
  func browse(_ type: ServiceType, for peer: PeerID) async -> AsyncThrowingStream<BrowseEvent, any Error>
  /// The networks of this host.
  var networks: LocalNetworks { get }
  /// Returns the identity of a new peer with this name; `nil` to draw one.
  func identity(for name: String) -> PeerID?
  /// Marks the beginning of work on a queue or in a task. A simulated clock does not advance before its `end`.
  func begin()
  /// Marks the end of that work.
  func end()
}

extension PeerEnvironment {
  package var random: any RandomNumberGenerator { SystemRandomNumberGenerator() }
  package func browse(
    _ type: ServiceType, for peer: PeerID
  ) async -> AsyncThrowingStream<BrowseEvent, any Error> { await discovery.browse(type) }
  package func identity(for name: String) -> PeerID? { nil }
  package func begin() {}
  package func end() {}
}

/// A closure that is scheduled to run later.
package protocol Scheduling: Sendable {
  func cancel()
}

/// A connection that a session wants to make.
package struct PeerCall: Sendable {
  package let address: SocketAddress
  package let from: PeerID
  package let to: PeerID
  /// Whether the session has opened a connection or accepted an invitation before.
  package let isOfUsedSession: Bool
}

/// One connection between two peers. Delivers its bytes and its end to one receiver, in order.
package protocol PeerConnection: AnyObject, Sendable {
  /// Both ends, as the system reports them; `nil` once the connection has ended.
  var route: Route? { get }
  /// Whether there is room to send.
  var hasRoom: Bool { get }
  /// Runs a closure in order with the connection's events.
  func execute(_ body: @escaping @Sendable () -> Void)
  /// Runs a closure after a delay, in order with the connection's events.
  @discardableResult
  func schedule(in delay: Duration, _ body: @escaping @Sendable () -> Void) -> any Scheduling
  /// Sets the receiver of all events, including those that have come before. Called in order with the events.
  func deliver(to sink: @escaping @Sendable (ConnectionEvent) -> Void)
  /// Sends bytes, in the order of the calls.
  func send(_ bytes: [UInt8])
  /// Closes the connection once all is sent.
  func close()
  /// Stops reading until `resume`.
  func pause()
  func resume()
}

/// An event of a connection.
package enum ConnectionEvent: Sendable {
  case received([UInt8])
  case closed
  /// There is room to send again.
  case writable
}
