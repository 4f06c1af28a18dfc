import BumpDiscovery
import BumpKit
import BumpServing
import Synchronization

/// Serves HTTP/1.1 on one network interface, one request a connection.
struct LocalServer: Sendable {
  /// How many connections are open at once.
  static let slots = 128

  /// Takes bytes as they are received, and returns the answer once the request is complete.
  typealias Responder = @Sendable ([UInt8]) -> Answer?
  /// Returns the complete answer.
  typealias Answer = @Sendable () async -> [UInt8]

  /// The TCP port, or 0 for any free port.
  let port: UInt16
  /// The socket is bound to this interface, so that no other reaches it.
  let interface: NetworkInterface
  /// How long a connection may take until its request is complete.
  var idle = Duration.seconds(5)
  /// How long answering may take, so that a connection that reads nothing is closed.
  var patience = Duration.seconds(10)

  static func loopback() throws -> NetworkInterface { try NetworkInterface("lo") }

  /// Serves until the task is cancelled.
  ///
  /// - Parameters:
  ///   - begin: called with the port once connections are accepted.
  ///   - responder: returns the responder for a new connection.
  func run(_ begin: (UInt16) -> Void, _ responder: @escaping @Sendable () -> Responder) async throws {
    let transport = TCPTransport(interface: interface)
    let listener = try await transport.listen(port: port)
    let (connections, feed) = AsyncStream.makeStream(of: (any Connection).self)
    await withTaskCancellationHandler {
      begin(listener.port)
      await withDiscardingTaskGroup { group in
        group.addTask {
          await listener.accept { feed.yield($0) }
          feed.finish()
        }
        let openConnections = OpenConnections()
        for await connection in connections {
          let host = RemoteHost(connection, on: transport.localNetworks())
          guard let number = openConnections.add(connection, from: host) else { continue }
          group.addTask {
            await serve(connection, number, of: openConnections, responder())
            openConnections.remove(number)
          }
        }
      }
    } onCancel: {
      listener.close()
    }
  }

  private func serve(
    _ connection: any Connection, _ number: Int, of openConnections: OpenConnections, _ respond: @escaping Responder
  ) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await connection.receive { bytes in
          guard let answer = respond(bytes) else { return }
          openConnections.complete(number)
          connection.send(await answer())
          connection.finish()
        }
      }
      group.addTask {
        try? await Task.sleep(for: idle)
        if openConnections.isComplete(number) { try? await Task.sleep(for: patience) }
      }
      await group.next()
      connection.close()
      group.cancelAll()
    }
  }
}

/// The open connections of a server.
private final class OpenConnections: Sendable {
  private struct State {
    var slots = ConnectionSlots<RemoteHost>(LocalServer.slots)
    var connections: [Int: any Connection] = [:]
    var next = 0
  }

  private let state = Mutex(State())

  /// Adds a connection, and closes the one that has to go for it.
  ///
  /// - Returns: its number; `nil` if it is closed.
  func add(_ connection: any Connection, from host: RemoteHost?) -> Int? {
    let (number, gone): (Int?, (any Connection)?) = state.withLock { state in
      let number = state.next
      state.next += 1
      let admission = state.slots.add(number, from: host)
      if admission == .refused { return (nil, connection) }
      state.connections[number] = connection
      guard case .displaces(let oldest) = admission else { return (number, nil) }
      return (number, state.connections.removeValue(forKey: oldest))
    }
    gone?.close()
    return number
  }

  func complete(_ number: Int) { state.withLock { $0.slots.completed(number) } }

  func isComplete(_ number: Int) -> Bool { state.withLock { $0.slots.isComplete(number) } }

  func remove(_ number: Int) {
    state.withLock { state in
      state.slots.remove(number)
      state.connections[number] = nil
    }
  }
}
