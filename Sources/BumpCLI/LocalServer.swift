import BumpKit

/// Serves HTTP/1.1 on one network interface, one request a connection.
struct LocalServer: Sendable {
  /// How long a connection may last, so that one that sends or reads nothing is closed.
  static let patience = Duration.seconds(10)

  /// Answers one connection: takes bytes as they are received, and returns the complete answer, once.
  typealias Responder = @Sendable ([UInt8]) async -> [UInt8]?

  /// The TCP port, or 0 for any free port.
  let port: UInt16
  /// The socket is bound to this interface, so that no other reaches it.
  let interface: NetworkInterface

  static func loopback() throws -> NetworkInterface { try NetworkInterface("lo") }

  /// Serves until the task is cancelled.
  ///
  /// - Parameters:
  ///   - begin: called with the port once connections are accepted.
  ///   - responder: returns the responder for a new connection.
  func run(_ begin: (UInt16) -> Void, _ responder: @escaping @Sendable () -> Responder) async throws {
    let listener = try await TCPTransport(interface: interface).listen(port: port)
    await withTaskCancellationHandler {
      begin(listener.port)
      await listener.accept { connection in await Self.serve(connection, responder()) }
    } onCancel: {
      listener.close()
    }
  }

  private static func serve(_ connection: any Connection, _ respond: @escaping Responder) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await connection.receive { bytes in
          guard let answer = await respond(bytes) else { return }
          connection.send(answer)
          connection.finish()
        }
      }
      group.addTask { try? await Task.sleep(for: patience) }
      await group.next()
      connection.close()
      group.cancelAll()
    }
  }
}
