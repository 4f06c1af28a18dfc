import BumpDiscovery
import NIOCore
import Synchronization
import Testing

@testable import BumpNet

/// The listening socket, over the loopback interface.
@Suite(.timeLimit(.minutes(30))) struct ListenerTests {
  @Test func `connections that were never handed over are closed when nobody accepts any more`() async throws {
    let transport = TCPTransport()
    let listener = try await transport.listen(port: 0)
    let address = try SocketAddress(ipAddress: "127.0.0.1", port: Int(listener.port))
    let (taken, take) = AsyncStream.makeStream(of: Void.self)
    // One is being dealt with for each that may be at once, and the others wait.
    let accepting = Task {
      await listener.accept { connection in
        take.yield()
        await connection.receive { _ in }
      }
    }
    var ends: [any Connection] = []
    for _ in 0..<(TCPListener.maximumAccepted + 8) { ends.append(try await transport.connect(to: .address(address))) }
    var count = 0
    for await _ in taken {
      count += 1
      if count == TCPListener.maximumAccepted { break }
    }
    accepting.cancel()
    await accepting.value
    // Each returns once the other end has closed.
    for end in ends { await end.receive { _ in } }
    listener.close()
  }
}
