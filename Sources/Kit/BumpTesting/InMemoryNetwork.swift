public import BumpDiscovery
public import BumpNet
public import NIOCore
import Synchronization

/// A network in memory: senders and receivers that share this object can connect to each other. It does not lose or
/// reorder bytes.
public final class InMemoryNetwork: Transport {
  private struct State {
    var listeners: [Int: AsyncStream<InMemoryConnection>.Continuation] = [:]
    var lastPort = 40_000
  }

  private let state = Mutex(State())

  /// Makes a network without listeners.
  public init() {}

  /// Returns the address of the listener on a port. It never throws in practice: the address is numeric.
  public static func address(port: UInt16) throws -> SocketAddress {
    // 192.0.2.0/24 is for documentation (RFC 5737).
    try SocketAddress(ipAddress: "192.0.2.1", port: Int(port))
  }

  public func localNetworks() -> LocalNetworks { .everywhere }

  public func listen(port: UInt16) async throws -> any Listener {
    let (connections, queue) = AsyncStream.makeStream(of: InMemoryConnection.self)
    let taken = state.withLock { state -> Int? in
      if port == 0 { state.lastPort += 1 }
      let number = port == 0 ? state.lastPort : Int(port)
      guard state.listeners[number] == nil else { return nil }
      state.listeners[number] = queue
      return number
    }
    guard let taken else { throw TransportError(.cannotListen, "port \(port) is taken") }
    return InMemoryListener(port: UInt16(taken), connections: connections) { [weak self] in
      self?.state.withLock { $0.listeners.removeValue(forKey: taken) }?.finish()
    }
  }

  public func connect(to endpoint: Endpoint) async throws -> any Connection {
    let port =
      switch endpoint {
      case .address(let address): address.port ?? 0
      case .host(_, let port): Int(port)
      }
    let (near, far) = InMemoryConnection.pair(port: port)
    guard let queue = state.withLock({ $0.listeners[port] }), case .enqueued = queue.yield(far) else {
      throw TransportError(.cannotConnect, "nobody listens on port \(port)")
    }
    return near
  }
}

private struct InMemoryListener: Listener {
  let port: UInt16
  let connections: AsyncStream<InMemoryConnection>
  let end: @Sendable () -> Void

  func accept(_ body: @escaping @Sendable (any Connection) async -> Void) async {
    await withDiscardingTaskGroup { group in
      for await connection in connections { group.addTask { await body(connection) } }
    }
  }

  func close() { end() }
}

/// One end of a connection in memory.
struct InMemoryConnection: Connection {
  let peer: String
  private let incoming: AsyncStream<[UInt8]>
  private let mine: AsyncStream<[UInt8]>.Continuation
  private let theirs: AsyncStream<[UInt8]>.Continuation

  static func pair(port: Int) -> (InMemoryConnection, InMemoryConnection) {
    let (toNear, nearFeed) = AsyncStream.makeStream(of: [UInt8].self)
    let (toFar, farFeed) = AsyncStream.makeStream(of: [UInt8].self)
    return (
      InMemoryConnection(peer: "memory:\(port)", incoming: toNear, mine: nearFeed, theirs: farFeed),
      InMemoryConnection(peer: "memory", incoming: toFar, mine: farFeed, theirs: nearFeed)
    )
  }

  func receive(_ body: @escaping @Sendable ([UInt8]) async -> Void) async {
    for await bytes in incoming { await body(bytes) }
    close()
  }

  func send(_ bytes: [UInt8]) { theirs.yield(bytes) }

  func close() {
    theirs.finish()
    mine.finish()
  }
}
