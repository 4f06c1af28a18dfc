public import BumpFaults
public import BumpKit
import NIOCore
import Synchronization

/// A transport that changes by a plan the bytes that this end sends.
public final class FaultyTransport: Transport {
  private let base: any Transport
  private let plan: FaultPlan
  private let clock: any Clock<Duration>
  private let connections = Atomic(0)

  /// Makes the transport of one end.
  public init(_ base: any Transport, _ plan: FaultPlan, clock: any Clock<Duration> = ContinuousClock()) {
    (self.base, self.plan, self.clock) = (base, plan, clock)
  }

  public func localNetworks() -> LocalNetworks { base.localNetworks() }

  public func listen(port: UInt16) async throws -> any Listener {
    FaultyListener(base: try await base.listen(port: port)) { self.wrapped($0, isOpener: false) }
  }

  public func connect(to endpoint: Endpoint) async throws -> any Connection {
    wrapped(try await base.connect(to: endpoint), isOpener: true)
  }

  private func wrapped(_ connection: any Connection, isOpener: Bool) -> any Connection {
    let number = connections.add(1, ordering: .relaxed).newValue
    return FaultyConnection(base: connection, plan, number: number, isOpener: isOpener, clock)
  }
}

private struct FaultyListener: Listener {
  let base: any Listener
  let wrap: @Sendable (any Connection) -> any Connection

  var port: UInt16 { base.port }

  func accept(_ body: @escaping @Sendable (any Connection) async -> Void) async {
    await base.accept { await body(wrap($0)) }
  }

  func close() { base.close() }
}

private struct FaultyConnection: Connection {
  let base: any Connection
  private let line: FaultyLine

  init(base: any Connection, _ plan: FaultPlan, number: Int, isOpener: Bool, _ clock: some Clock<Duration>) {
    self.base = base
    line = FaultyLine(
      plan, number: number, isOpener: isOpener, deliver: { base.send($0) }, end: { base.close() },
      clock: clock)
  }

  var peer: String { base.peer }
  var address: SocketAddress? { base.address }
  var localAddress: SocketAddress? { base.localAddress }

  func receive(_ body: @escaping @Sendable ([UInt8]) async -> Void) async { await base.receive(body) }
  func send(_ bytes: [UInt8]) { line.send(bytes) }
  func giveUp(after limit: Duration) { base.giveUp(after: limit) }
  func close() { line.close() }
}
